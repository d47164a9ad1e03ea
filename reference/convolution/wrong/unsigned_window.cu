// verdict: fails-correctness
// pitfall: P18
// caught-by: case "by hand"
// Unsigned rows and columns: before the image they are 4 billion, and the loops never begin.
#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16
#define MAX_MASK 31

__constant__ float c_mask[MAX_MASK * MAX_MASK];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  unsigned col = blockIdx.x * TILE + threadIdx.x;
  unsigned row = blockIdx.y * TILE + threadIdx.y;
  if (row < height && col < width) {
    float sum = 0;
    unsigned top = row - mask_height / 2;
    unsigned left = col - mask_width / 2;
    for (unsigned y = top; y <= row + mask_height / 2; ++y) {
      for (unsigned x = left; x <= col + mask_width / 2; ++x) {
        if (y < height && x < width) {
          sum += c_mask[(y - top) * mask_width + x - left] * image[y * width + x];
        }
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
  dim3 block(TILE, TILE);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
