// verdict: fails-correctness
// pitfall: P15
// caught-by: case "largest mask"
// A tile for 96 x 96 outputs: the largest mask needs more than 48 KB, and the error is not checked.
#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 96
#define BLOCK 32
#define MAX_MASK 31

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  extern __shared__ float tile[];
  int pitch = TILE + mask_width - 1;
  for (int ty = threadIdx.y; ty < TILE + mask_height - 1; ty += BLOCK) {
    for (int tx = threadIdx.x; tx < TILE + mask_width - 1; tx += BLOCK) {
      int y = blockIdx.y * TILE + ty - mask_height / 2;
      int x = blockIdx.x * TILE + tx - mask_width / 2;
      if (y >= 0 && y < height && x >= 0 && x < width) {
        tile[ty * pitch + tx] = image[y * width + x];
      } else {
        tile[ty * pitch + tx] = 0;
      }
    }
  }
  __syncthreads();

  for (int ty = threadIdx.y; ty < TILE; ty += BLOCK) {
    for (int tx = threadIdx.x; tx < TILE; tx += BLOCK) {
      int row = blockIdx.y * TILE + ty;
      int col = blockIdx.x * TILE + tx;
      float sum = 0;
      for (int i = 0; i < mask_height; ++i) {
        for (int j = 0; j < mask_width; ++j) {
          sum += c_mask[i * mask_width + j] * tile[(ty + i) * pitch + tx + j];
        }
      }
      if (row < height && col < width) result[row * width + col] = sum;
    }
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(c_mask, mask, mask_height * mask_width * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(BLOCK, BLOCK);
  int bytes = (TILE + mask_width - 1) * (TILE + mask_height - 1) * sizeof(float);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, block, bytes>>>(image, result, height, width, mask_height, mask_width);
}
