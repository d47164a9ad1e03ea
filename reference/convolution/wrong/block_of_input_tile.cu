// verdict: fails-correctness
// pitfall: P15
// caught-by: finding illegal-launch
// 32 outputs along each axis need blocks of 36 x 36 inputs: more than 1024 threads.
#include "convolution.h"

#include <cuda_runtime.h>

#define OUT_TILE 32
#define MAX_MASK 31

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  __shared__ float tile[OUT_TILE + MAX_MASK - 1][OUT_TILE + MAX_MASK - 1];
  int x = blockIdx.x * OUT_TILE + threadIdx.x - mask_width / 2;
  int y = blockIdx.y * OUT_TILE + threadIdx.y - mask_height / 2;
  if (y >= 0 && y < height && x >= 0 && x < width) {
    tile[threadIdx.y][threadIdx.x] = image[y * width + x];
  } else {
    tile[threadIdx.y][threadIdx.x] = 0;
  }
  __syncthreads();

  int col = blockIdx.x * OUT_TILE + threadIdx.x;
  int row = blockIdx.y * OUT_TILE + threadIdx.y;
  if (threadIdx.x < OUT_TILE && threadIdx.y < OUT_TILE && row < height && col < width) {
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
  dim3 block(OUT_TILE + mask_width - 1, OUT_TILE + mask_height - 1);
  dim3 grid((width + OUT_TILE - 1) / OUT_TILE, (height + OUT_TILE - 1) / OUT_TILE);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
