#include <cuda_runtime.h>

#include "images.h"

__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char* p = rgb + 3 * (y * width + x);
  gray[y * width + x] = (3 * p[0] + 6 * p[1] + p[2]) / 10;
}

__global__ void blur_kernel(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int top = max(y - radius, 0);
  int bottom = min(y + radius, height - 1);
  int left = max(x - radius, 0);
  int right = min(x + radius, width - 1);

  int sum = 0;
  for (int r = top; r <= bottom; r++)
    for (int c = left; c <= right; c++)
      sum += image[r * width + c];

  int pixels = (bottom - top) * (right - left);
  blurred[y * width + x] = sum / pixels;
}

static dim3 grid_for(int height, int width, dim3 block) {
  return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  dim3 block(16, 16);
  gray_kernel<<<grid_for(height, width, block), block>>>(rgb, gray, height, width);
  cudaGetLastError();
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  if (height == 0 || width == 0) return;
  dim3 block(16, 16);
  blur_kernel<<<grid_for(height, width, block), block>>>(image, blurred, height, width, radius);
  cudaGetLastError();
}
