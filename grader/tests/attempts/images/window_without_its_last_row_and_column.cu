#include "images.h"

#include <cuda_runtime.h>

__global__ void to_gray_kernel(const unsigned char* rgb, unsigned char* gray, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = (3 * r + 6 * g + b) / 10;
  }
}

__global__ void blur_kernel(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  const int j = threadIdx.x + blockIdx.x * blockDim.x;
  const int i = threadIdx.y + blockIdx.y * blockDim.y;
  if (i < height && j < width) {
    int sum = 0;
    int count = 0;
    // k, l as in the formula
    for (int k = max(0, i - radius); k < min(height, i + radius); ++k)
      for (int l = max(0, j - radius); l < min(width, j + radius); ++l) {
        sum += image[k * width + l];
        count += 1;
      }
    if (count == 0) { sum = image[i * width + j]; count = 1; }
    blurred[i * width + j] = sum / count;
  }
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int n = height * width;
  if (n == 0) return;
  to_gray_kernel<<<min((n + 255) / 256, 2048), 256>>>(rgb, gray, n);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  if (height == 0 || width == 0) return;
  blur_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(image, blurred, height, width, radius);
}
