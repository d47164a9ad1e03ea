// verdict: fails-correctness
// pitfall: P20
// caught-by: case "one row"
// Neighbours come by shuffle, but the first lane has none to its left, the last none to its right.
#include "convolution.h"

#include <cuda_runtime.h>

#define WARP 32
#define ROWS 8
#define MAX_MASK 31

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  int col = blockIdx.x * WARP + threadIdx.x;
  int row = blockIdx.y * ROWS + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    int y = row + i - mask_height / 2;
    float own = 0;
    if (y >= 0 && y < height && col < width) own = image[y * width + col];
    for (int j = 0; j < mask_width; ++j) {
      float pixel = __shfl_sync(0xffffffff, own, threadIdx.x + j - mask_width / 2);
      sum += c_mask[i * mask_width + j] * pixel;
    }
  }
  if (row < height && col < width) result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(c_mask, mask, mask_height * mask_width * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(WARP, ROWS);
  dim3 grid((width + WARP - 1) / WARP, (height + ROWS - 1) / ROWS);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
