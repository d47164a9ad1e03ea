#include "convolution.h"

__global__ void one_pixel(const float* image, const float* mask, float* result, int height, int width,
                          int mh, int mw) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)height * width) return;
  const int row = i / width, column = i % width;
  float total = 0;
  for (int y = 0; y < mh; ++y)
    for (int x = 0; x < mw; ++x) {
      const int r = row - mh / 2 + y, c = column - mw / 2 + x;
      const float pixel = r < 0 || r >= height || c < 0 || c >= width ? 0 : image[r * width + c];
      total += pixel * mask[y * mw + x];
    }
  result[i] = total;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  const int n = height * width;
  if (n > 0)
    one_pixel<<<(n + 127) / 128, 128>>>(image, mask, result, height, width, mask_height, mask_width);
}
