#include "gray.h"

__global__ void average(const unsigned char* image, unsigned char* gray, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  gray[at] = (image[3 * at] + image[3 * at + 1] + image[3 * at + 2]) / 3;
}

void gray(const unsigned char* image, unsigned char* gray, int height, int width) {
  const dim3 blocks((width + 15) / 16, (height + 15) / 16);
  average<<<blocks, dim3(16, 16)>>>(image, gray, height, width);
}
