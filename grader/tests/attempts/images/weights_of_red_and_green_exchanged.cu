#include "images.h"

#include <cuda_runtime.h>

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int at = row * width + column;
  gray[at] = (6 * rgb[3 * at] + 3 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height,
                            int width, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
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

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  gray_pixels<<<grid, block>>>(rgb, gray, height, width);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  blur_pixels<<<grid, block>>>(image, blurred, height, width, radius);
}
