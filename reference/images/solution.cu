// The reference solution: a warp forms the sums of windows in one row, and a thread moves its
// window down a column of these sums.
//
// A row of 32 + 2 r pixels goes through a strip of shared memory that only one warp uses, so a
// barrier of the warp is enough. After the block's only barrier each thread adds one sum and
// subtracts another for each of its eight outputs.
#include "images.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kWidth = 32;  // outputs of a block: a column for each thread of a row
constexpr int kHeight = 64;
constexpr int kRows = 8;  // rows of threads; each thread has kHeight / kRows outputs
constexpr int kMost = 8;  // the largest radius

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int at = row * width + column;
  gray[at] = (3 * rgb[3 * at] + 6 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
}

__global__ void __launch_bounds__(kWidth* kRows)
    blur_tiles(const unsigned char* image, unsigned char* blurred, int height, int width,
               int radius) {
  __shared__ unsigned short sums[kHeight + 2 * kMost][kWidth];  // of windows in one row
  __shared__ unsigned char strip[kRows][kWidth + 2 * kMost];  // a row for each warp
  const int left = blockIdx.x * kWidth - radius;
  const int top = blockIdx.y * kHeight - radius;
  const int lane = threadIdx.x;
  const int last = min(kHeight + 2 * radius, height - top);  // rows below it do not exist
  for (int r = threadIdx.y; r < last; r += kRows) {
    int sum = 0;
    if (top + r >= 0) {  // the same for all lanes of the warp
      const unsigned char* from = image + static_cast<std::size_t>(top + r) * width;
      for (int c = lane; c < kWidth + 2 * radius; c += kWidth) {
        strip[threadIdx.y][c] = left + c >= 0 && left + c < width ? from[left + c] : 0;
      }
      __syncwarp();
      for (int c = 0; c <= 2 * radius; ++c) sum += strip[threadIdx.y][lane + c];
      __syncwarp();  // before the next row is loaded
    }
    sums[r][lane] = sum;
  }
  __syncthreads();
  const int column = blockIdx.x * kWidth + lane;
  if (column >= width) return;
  const int columns = min(column + radius, width - 1) - max(column - radius, 0) + 1;
  constexpr int kEach = kHeight / kRows;
  const int first = threadIdx.y * kEach;
  // The window moves down: a row comes in, another goes out.
  int sum = 0;
  for (int r = first; r < min(first + 2 * radius, last); ++r) sum += sums[r][lane];
  for (int i = first; i < first + kEach; ++i) {
    const int row = blockIdx.y * kHeight + i;
    if (row >= height) return;
    if (i + 2 * radius < last) sum += sums[i + 2 * radius][lane];
    const int rows = min(row + radius, height - 1) - max(row - radius, 0) + 1;
    blurred[static_cast<std::size_t>(row) * width + column] = sum / (rows * columns);
    sum -= sums[i][lane];
  }
}

}  // namespace

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  if (height == 0 || width == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  gray_pixels<<<grid, block>>>(rgb, gray, height, width);
  CHECK(cudaGetLastError());
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  if (height == 0 || width == 0) return;
  const dim3 block(kWidth, kRows);
  const dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  blur_tiles<<<grid, block>>>(image, blurred, height, width, radius);
  CHECK(cudaGetLastError());
}
