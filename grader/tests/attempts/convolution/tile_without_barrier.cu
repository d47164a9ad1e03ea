#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16
#define MAX_R 15
#define CELLS (TILE + 2 * MAX_R)

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  __shared__ float tile[CELLS][CELLS];
  int ry = mask_height / 2;
  int rx = mask_width / 2;
  int row0 = blockIdx.y * TILE - ry;
  int col0 = blockIdx.x * TILE - rx;
  for (int y = threadIdx.y; y < TILE + 2 * ry; y += TILE) {
    for (int x = threadIdx.x; x < TILE + 2 * rx; x += TILE) {
      int r = row0 + y;
      int c = col0 + x;
      tile[y][x] = (r >= 0 && r < height && c >= 0 && c < width) ? image[r * width + c] : 0.0f;
    }
  }
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  if (row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; ++i)
      for (int j = 0; j < mask_width; ++j)
        sum += mask[i * mask_width + j] * tile[threadIdx.y + i][threadIdx.x + j];
    result[row * width + col] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, dim3(TILE, TILE)>>>(image, mask, result, height, width, mask_height, mask_width);
}
