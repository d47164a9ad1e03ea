#include "convolution.h"

#include <cuda_runtime.h>

__constant__ float c_mask[31 * 31];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || column >= width) return;

  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    int y = row + i - mask_height / 2;
    if (y < 0 || y >= height) continue;
    for (int j = 0; j < mask_width; ++j) {
      int x = column + j - mask_width / 2;
      if (x < 0 || x >= width) continue;
      sum += c_mask[i * mask_height + j] * image[y * width + x];
    }
  }
  result[row * width + column] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(c_mask, mask, sizeof(float) * mask_height * mask_width, 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
  if (cudaGetLastError() != cudaSuccess) return;
}
