// verdict: fails-safety
// pitfall: P8
// caught-by: finding unwritten-shared-read
// Cells of the tile outside the picture keep what the shared memory held before.
#include "images.h"

#include <cuda_runtime.h>

constexpr int kWidth = 32;  // outputs of a block
constexpr int kHeight = 16;
constexpr int kMost = 8;  // the largest radius

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int at = row * width + column;
  gray[at] = (3 * rgb[3 * at] + 6 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
}

__global__ void blur_tiles(const unsigned char* image, unsigned char* blurred, int height,
                           int width, int radius) {
  __shared__ unsigned char tile[kHeight + 2 * kMost][kWidth + 2 * kMost];
  const int left = blockIdx.x * kWidth - radius;
  const int top = blockIdx.y * kHeight - radius;
  for (int r = threadIdx.y; r < kHeight + 2 * radius; r += kHeight) {
    for (int c = threadIdx.x; c < kWidth + 2 * radius; c += kWidth) {
      const bool exists = top + r >= 0 && top + r < height && left + c >= 0 && left + c < width;
      if (exists) tile[r][c] = image[(top + r) * width + left + c];
    }
  }
  __syncthreads();
  const int column = blockIdx.x * kWidth + threadIdx.x;
  const int row = blockIdx.y * kHeight + threadIdx.y;
  if (row >= height || column >= width) return;
  int sum = 0;
  for (int r = 0; r <= 2 * radius; ++r) {
    for (int c = 0; c <= 2 * radius; ++c) sum += tile[threadIdx.y + r][threadIdx.x + c];
  }
  const int rows = min(row + radius, height - 1) - max(row - radius, 0) + 1;
  const int columns = min(column + radius, width - 1) - max(column - radius, 0) + 1;
  blurred[row * width + column] = sum / (rows * columns);
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
  const dim3 block(kWidth, kHeight);
  const dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  blur_tiles<<<grid, block>>>(image, blurred, height, width, radius);
}
