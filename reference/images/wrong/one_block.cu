// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block takes the whole image.
#include "images.h"

#include <cuda_runtime.h>

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  for (int at = threadIdx.x; at < height * width; at += blockDim.x)
    gray[at] = (3 * rgb[3 * at] + 6 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height,
                            int width, int radius) {
  for (int at = threadIdx.x; at < height * width; at += blockDim.x) {
    const int row = at / width;
    const int column = at % width;
    int sum = 0;
    int count = 0;
    for (int r = row - radius; r <= row + radius; ++r) {
      for (int c = column - radius; c <= column + radius; ++c) {
        if (r < 0 || r >= height || c < 0 || c >= width) continue;
        sum += image[r * width + c];
        ++count;
      }
    }
    blurred[row * width + column] = sum / count;
  }
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  gray_pixels<<<1, 1024>>>(rgb, gray, height, width);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  if (height == 0 || width == 0) return;
  blur_pixels<<<1, 1024>>>(image, blurred, height, width, radius);
}
