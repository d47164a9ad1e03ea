#include "convolution.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      int index = (y + i - mask_height / 2) * width + (x + j - mask_width / 2);
      if (index >= 0 && index < height * width) {
        sum += image[index] * mask[i * mask_width + j];
      }
    }
  }
  result[y * width + x] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height * width == 0) return;
  dim3 threads(32, 8);
  dim3 blocks((width + 31) / 32, (height + 7) / 8);
  convolve<<<blocks, threads>>>(image, mask, result, height, width, mask_height, mask_width);
  cudaDeviceSynchronize();
}
