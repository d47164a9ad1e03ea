#include "images.h"

#include <cuda_runtime.h>

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && column < width) {
    const int at = row * width + column;
    const unsigned char* p = rgb + 3 * at;
    gray[at] = (3 * p[0] + 6 * p[1] + p[2]) / 10;
  }
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height,
                            int width, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;

  const int side = 2 * radius + 1;
  int sum = 0;
  for (int r = row - radius; r <= row + radius; ++r) {
    for (int c = column - radius; c <= column + radius; ++c) {
      if (r >= 0 && r < height && c >= 0 && c < width) sum += image[r * width + c];
    }
  }
  blurred[row * width + column] = sum / (side * side);
}

static dim3 blocks_for(int height, int width, dim3 block) {
  return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  gray_pixels<<<blocks_for(height, width, block), block>>>(rgb, gray, height, width);
  if (cudaGetLastError() != cudaSuccess) return;
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  blur_pixels<<<blocks_for(height, width, block), block>>>(image, blurred, height, width, radius);
  if (cudaGetLastError() != cudaSuccess) return;
}
