#include "convolution.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int col = threadIdx.x + blockIdx.x * blockDim.x;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  int r = mask_height / 2;
  if (row < height && col < width) {
    float p = 0.0f;
    for (int i = -r; i <= r; i++) {
      for (int j = -r; j <= r; j++) {
        if (row + i >= 0 && row + i < height && col + j >= 0 && col + j < width) {
          p += image[(row + i) * width + col + j] * mask[(i + r) * mask_width + j + r];
        }
      }
    }
    result[row * width + col] = p;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height < 1 || width < 1) return;
  dim3 threads(32, 8);
  dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  convolve<<<blocks, threads>>>(image, mask, result, height, width, mask_height, mask_width);
}
