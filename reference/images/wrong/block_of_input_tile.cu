// verdict: fails-correctness
// pitfall: P15
// caught-by: case "tall"
// A block has a thread for each pixel of the tile with its halo: too many for a large radius.
#include "images.h"

#include <cuda_runtime.h>

constexpr int kWidth = 32;  // outputs of a block
constexpr int kHeight = 32;
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
  const int r = threadIdx.y;
  const int c = threadIdx.x;
  const int row = blockIdx.y * kHeight + r - radius;
  const int column = blockIdx.x * kWidth + c - radius;
  const bool exists = row >= 0 && row < height && column >= 0 && column < width;
  tile[r][c] = exists ? image[row * width + column] : 0;
  __syncthreads();
  if (r < radius || r >= kHeight + radius || c < radius || c >= kWidth + radius || !exists) return;
  int sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    for (int l = -radius; l <= radius; ++l) sum += tile[r + k][c + l];
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
  const dim3 block(kWidth + 2 * radius, kHeight + 2 * radius);
  const dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  blur_tiles<<<grid, block>>>(image, blurred, height, width, radius);
}
