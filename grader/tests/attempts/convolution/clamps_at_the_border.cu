#include "convolution.h"

#include <cuda_runtime.h>

__device__ int clamp(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; i++) {
    for (int j = 0; j < mask_width; j++) {
      int y = clamp(row + i - mask_height / 2, 0, height - 1);
      int x = clamp(col + j - mask_width / 2, 0, width - 1);
      sum += mask[i * mask_width + j] * image[y * width + x];
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
