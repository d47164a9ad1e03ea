#include "convolution.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int r0 = row - mask_height / 2;
  int c0 = col - mask_width / 2;
  for (int i = 0; i < mask_height; i++) {
    for (int j = 0; j < mask_width; j++) {
      if (r0 + i >= 0 && r0 + i < height && c0 + j >= 0 && c0 + j < width) {
        sum += image[(r0 + i) * width + c0 + j] * mask[i * mask_width + j];
      }
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 block(32, 8);
  dim3 grid(width / block.x, height / block.y);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
