#include "convolution.h"

// Pixels outside repeat the edge.
__global__ void conv(const float* in, const float* mask, float* out, int h, int w, int mh, int mw) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int i = 0; i < mh; i++)
    for (int j = 0; j < mw; j++) {
      int yy = min(max(y + i - mh / 2, 0), h - 1);
      int xx = min(max(x + j - mw / 2, 0), w - 1);
      s += mask[i * mw + j] * in[yy * w + xx];
    }
  out[y * w + x] = s;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  dim3 b(32, 8), g((width + 31) / 32, (height + 7) / 8);
  if (height && width)
    conv<<<g, b>>>(image, mask, result, height, width, mask_height, mask_width);
}
