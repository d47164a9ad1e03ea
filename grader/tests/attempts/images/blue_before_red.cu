#include "images.h"

#include <cuda_runtime.h>

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int at = row * width + column;
  const int b = rgb[3 * at + 0];
  const int g = rgb[3 * at + 1];
  const int r = rgb[3 * at + 2];
  gray[at] = (3 * r + 6 * g + b) / 10;
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  int sum = 0, number = 0;
  for (int i = row - radius; i <= row + radius; ++i) {
    for (int j = column - radius; j <= column + radius; ++j) {
      if (i >= 0 && i < height && j >= 0 && j < width) {
        sum += image[i * width + j];
        ++number;
      }
    }
  }
  blurred[row * width + column] = sum / number;
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  gray_pixels<<<grid, block>>>(rgb, gray, height, width);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  blur_pixels<<<grid, block>>>(image, blurred, height, width, radius);
}
