// verdict: fails-safety
// pitfall: P46
// caught-by: finding leak
// The image with a rim of zeros is lost in every call.
#include "convolution.h"

#include <cuda_runtime.h>

#define TILE 16

// `padded` has a rim of zeros, so no product needs a test.
__global__ void convolve(const float* padded, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  int pitch = width + mask_width - 1;
  if (row < height && col < width) {
    float sum = 0;
    for (int i = 0; i < mask_height; ++i) {
      for (int j = 0; j < mask_width; ++j) {
        sum += mask[i * mask_width + j] * padded[(row + i) * pitch + col + j];
      }
    }
    result[row * width + col] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  int pitch = width + mask_width - 1;
  int count = pitch * (height + mask_height - 1);
  float* padded;
  cudaMalloc(&padded, count * sizeof(float));
  cudaMemset(padded, 0, count * sizeof(float));
  cudaMemcpy2D(padded + mask_height / 2 * pitch + mask_width / 2, pitch * sizeof(float), image,
               width * sizeof(float), width * sizeof(float), height, cudaMemcpyDeviceToDevice);
  dim3 block(TILE, TILE);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  convolve<<<grid, block>>>(padded, mask, result, height, width, mask_height, mask_width);
}
