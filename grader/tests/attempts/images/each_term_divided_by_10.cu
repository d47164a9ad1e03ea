#include "images.h"

#include <cuda_runtime.h>

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int at = row * width + column;
  const int red = rgb[3 * at], green = rgb[3 * at + 1], blue = rgb[3 * at + 2];
  gray[at] = 3 * red / 10 + 6 * green / 10 + blue / 10;
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height,
                            int width, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int top = max(row - radius, 0), bottom = min(row + radius, height - 1);
  const int left = max(column - radius, 0), right = min(column + radius, width - 1);
  int sum = 0;
  for (int r = top; r <= bottom; ++r)
    for (int c = left; c <= right; ++c) sum += image[r * width + c];
  blurred[row * width + column] = sum / ((bottom - top + 1) * (right - left + 1));
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  gray_pixels<<<grid, block>>>(rgb, gray, height, width);
  if (cudaGetLastError() != cudaSuccess) return;
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  blur_pixels<<<grid, block>>>(image, blurred, height, width, radius);
  if (cudaGetLastError() != cudaSuccess) return;
}
