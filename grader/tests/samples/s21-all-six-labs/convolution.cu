#include "convolution.h"

#include <cuda_runtime.h>

#define SIDE 16

__constant__ float weights[31 * 31];

__global__ void convolve(const float* image, float* result, int height, int width, int mh, int mw) {
  extern __shared__ float tile[];
  const int tw = SIDE + mw - 1, th = SIDE + mh - 1;
  const int left = blockIdx.x * SIDE - mw / 2, top = blockIdx.y * SIDE - mh / 2;
  for (int y = threadIdx.y; y < th; y += SIDE)
    for (int x = threadIdx.x; x < tw; x += SIDE) {
      const int r = top + y, c = left + x;
      const bool inside = r >= 0 && r < height && c >= 0 && c < width;
      tile[y * tw + x] = inside ? image[(size_t)r * width + c] : 0.0f;
    }
  __syncthreads();
  const int r = blockIdx.y * SIDE + threadIdx.y, c = blockIdx.x * SIDE + threadIdx.x;
  if (r >= height || c >= width) return;
  float sum = 0;
  for (int i = 0; i < mh; ++i)
    for (int j = 0; j < mw; ++j)
      sum = fmaf(weights[i * mw + j], tile[(threadIdx.y + i) * tw + threadIdx.x + j], sum);
  result[(size_t)r * width + c] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  cudaMemcpyToSymbol(weights, mask, sizeof(float) * mask_height * mask_width, 0,
                     cudaMemcpyDeviceToDevice);
  const dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
  const size_t bytes = sizeof(float) * (SIDE + mask_height - 1) * (SIDE + mask_width - 1);
  convolve<<<grid, dim3(SIDE, SIDE), bytes>>>(image, result, height, width, mask_height, mask_width);
}
