#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16

// strategy 2: every thread loads one pixel, the threads in the middle have an output
__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  extern __shared__ float tile[];
  int ry = mask_height / 2, rx = mask_width / 2;
  int row = blockIdx.y * TILE + threadIdx.y - ry;
  int col = blockIdx.x * TILE + threadIdx.x - rx;
  float v = 0;
  if (row >= 0 && row < height && col >= 0 && col < width) v = image[row * width + col];
  tile[threadIdx.y * blockDim.x + threadIdx.x] = v;
  __syncthreads();
  int ty = threadIdx.y - ry;
  int tx = threadIdx.x - rx;
  if (ty >= 0 && ty < TILE && tx >= 0 && tx < TILE && row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; i++)
      for (int j = 0; j < mask_width; j++)
        sum += tile[(ty + i) * blockDim.x + tx + j] * mask[i * mask_width + j];
    result[row * width + col] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 block(TILE + mask_width - 1, TILE + mask_height - 1);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, block, block.x * block.y * sizeof(float)>>>(image, mask, result, height, width,
                                                              mask_height, mask_width);
}
