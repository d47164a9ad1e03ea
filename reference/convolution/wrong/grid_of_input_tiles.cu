// verdict: fails-correctness
// pitfall: P9
// caught-by: case "exactly one tile"
// Blocks are counted by their inputs, but each gives fewer outputs: right and bottom are missing.
#include "convolution.h"

#include <cuda_runtime.h>

#define IN_TILE 32
#define MAX_MASK 31

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  __shared__ float tile[IN_TILE][IN_TILE];
  int out_width = IN_TILE - mask_width + 1;
  int out_height = IN_TILE - mask_height + 1;
  int x = blockIdx.x * out_width + threadIdx.x - mask_width / 2;
  int y = blockIdx.y * out_height + threadIdx.y - mask_height / 2;
  if (y >= 0 && y < height && x >= 0 && x < width) {
    tile[threadIdx.y][threadIdx.x] = image[y * width + x];
  } else {
    tile[threadIdx.y][threadIdx.x] = 0;
  }
  __syncthreads();

  int col = blockIdx.x * out_width + threadIdx.x;
  int row = blockIdx.y * out_height + threadIdx.y;
  if (threadIdx.x < out_width && threadIdx.y < out_height && row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; ++i) {
      for (int j = 0; j < mask_width; ++j) {
        sum += c_mask[i * mask_width + j] * tile[threadIdx.y + i][threadIdx.x + j];
      }
    }
    result[row * width + col] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(c_mask, mask, mask_height * mask_width * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(IN_TILE, IN_TILE);
  dim3 grid((width + IN_TILE - 1) / IN_TILE, (height + IN_TILE - 1) / IN_TILE);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
