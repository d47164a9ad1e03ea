#include "convolution.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= height) return;
  float acc = 0.0f;
  for (int i = 0; i < mask_height; ++i) {
    const int yy = y + i - mask_height / 2;
    for (int j = 0; j < mask_width; ++j) {
      const int xx = x + j - mask_width / 2;
      if (yy >= 0 && yy < height && xx >= 0 && xx < width) {
        acc += image[yy * width + xx] * mask[i * mask_width + j];
      }
    }
  }
  result[y * width + x] = acc;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
