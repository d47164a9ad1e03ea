#include "convolution.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; i++) {
    for (int j = 0; j < mask_width; j++) {
      int y = row + i - mask_height / 2;
      int x = col + j - mask_width / 2;
      if (y >= 0 && y < height && x >= 0 && x < width)
        sum += mask[i * mask_width + j] * image[y * height + x];
    }
  }
  result[row * height + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
