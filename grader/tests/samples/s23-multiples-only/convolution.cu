#include "convolution.h"

__global__ void conv(const float* in, const float* mask, float* out, int h, int w, int mh, int mw) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int i = 0; i < mh; i++)
    for (int j = 0; j < mw; j++) {
      int yy = y + i - mh / 2, xx = x + j - mw / 2;
      if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += mask[i * mw + j] * in[yy * w + xx];
    }
  out[y * w + x] = s;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  dim3 b(16, 16), g((width + 15) / 16, (height + 15) / 16);
  if (height && width)
    conv<<<g, b>>>(image, mask, result, height, width, mask_height, mask_width);
}
