#include "convolution.h"

#include <cuda_runtime.h>

__global__ void conv2d(const float* in, const float* mask, float* out, int h, int w, int mh,
                       int mw) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= h || c >= w) return;
  float value = 0;
  for (int i = 0; i < mh; i++)
    for (int j = 0; j < mw; j++) {
      int rr = r + i;
      int cc = c + j;
      if (rr < h && cc < w) value += in[rr * w + cc] * mask[i * mw + j];
    }
  out[r * w + c] = value;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  dim3 threads(16, 16);
  dim3 blocks((width + 15) / 16, (height + 15) / 16);
  conv2d<<<blocks, threads>>>(image, mask, result, height, width, mask_height, mask_width);
}
