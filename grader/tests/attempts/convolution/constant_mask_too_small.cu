#include "convolution.h"

#include <cuda_runtime.h>

#define MAX_MASK 11

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; i++) {
    for (int j = 0; j < mask_width; j++) {
      int y = row + i - mask_height / 2;
      int x = col + j - mask_width / 2;
      if (y >= 0 && y < height && x >= 0 && x < width)
        sum += c_mask[i * mask_width + j] * image[y * width + x];
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(c_mask, mask, mask_height * mask_width * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
