#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16

// strategy 1: the block has one thread for each output
__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  __shared__ float tile[TILE + 30][TILE + 30];
  int ry = mask_height / 2, rx = mask_width / 2;
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  if (row < height && col < width)
    tile[threadIdx.y + ry][threadIdx.x + rx] = image[row * width + col];
  else
    tile[threadIdx.y + ry][threadIdx.x + rx] = 0;
  __syncthreads();
  if (row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; i++)
      for (int j = 0; j < mask_width; j++)
        sum += tile[threadIdx.y + i][threadIdx.x + j] * mask[i * mask_width + j];
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
