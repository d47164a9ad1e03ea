#include "convolution.h"

#include <cuda_runtime.h>

#define T 16

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  __shared__ float tile[T + 30][T + 30];
  int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * T + threadIdx.x;
  if (row >= height || col >= width) return;  // outside the image
  int th = T + mask_height - 1;
  int tw = T + mask_width - 1;
  for (int y = threadIdx.y; y < th; y += T) {
    for (int x = threadIdx.x; x < tw; x += T) {
      int r = blockIdx.y * T + y - mask_height / 2;
      int c = blockIdx.x * T + x - mask_width / 2;
      tile[y][x] = r >= 0 && r < height && c >= 0 && c < width ? image[r * width + c] : 0.0f;
    }
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < mask_height; i++)
    for (int j = 0; j < mask_width; j++)
      sum += tile[threadIdx.y + i][threadIdx.x + j] * mask[i * mask_width + j];
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  dim3 grid((width + T - 1) / T, (height + T - 1) / T);
  convolve<<<grid, dim3(T, T)>>>(image, mask, result, height, width, mask_height, mask_width);
}
