// verdict: fails-build
// pitfall: none
// caught-by: build
// The mask is not a parameter of the kernel.
#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  if (row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; ++i) {
      for (int j = 0; j < mask_width; ++j) {
        int y = row + i - mask_height / 2;
        int x = col + j - mask_width / 2;
        if (y >= 0 && y < height && x >= 0 && x < width) {
          sum += mask[i * mask_width + j] * image[y * width + x];
        }
      }
    }
    result[row * width + col] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
