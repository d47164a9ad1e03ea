// Rung 10: a sliding window in registers, without shared memory.
//
// A thread owns a piece of a column and walks down it. From each row of the image it takes the M
// pixels around its column and adds their products to the M outputs that this row belongs to, whose
// sums wait in registers. With every row one sum is complete and stored, and a new one begins. So a
// row is loaded once, not once for each row of the mask: M loads an output instead of M * M, plus
// the M - 1 rows above and below the piece. Neighbouring lanes load overlapping pixels; the
// first-level cache has them. There is no tile, hence no barrier.
//
// The mask's size is a template parameter for the usual masks, as registers cannot be indexed at
// run time. Other masks go by the plain kernel of rung 3.
#include "convolution.h"

#include <cuda_runtime.h>

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

constexpr int kBlockWidth = 32;
constexpr int kBlockHeight = 4;
constexpr int kOutputs = 16;  // of a thread: 20 rows are read for 16 with a mask of 5 x 5
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

template <int M>
__global__ void convolve_square(const float* image, float* result, int height, int width) {
  const int col = blockIdx.x * kBlockWidth + threadIdx.x;
  const int first_row = (blockIdx.y * kBlockHeight + threadIdx.y) * kOutputs;
  if (col >= width || first_row >= height) return;

  float sums[M] = {};  // sums[o % M] belongs to the thread's output o
#pragma unroll
  for (int step = 0; step < kOutputs + M - 1; ++step) {
    const int y = first_row - M / 2 + step;
    float pixels[M] = {};  // ghost cells stay 0
    if (y >= 0 && y < height) {
#pragma unroll
      for (int j = 0; j < M; ++j) {
        const int x = col - M / 2 + j;
        if (x >= 0 && x < width) pixels[j] = image[y * width + x];
      }
    }
#pragma unroll
    for (int i = 0; i < M; ++i) {
      const int o = step - i;  // this row of the image meets row i of the mask for output o
      if (o < 0 || o >= kOutputs) continue;
      float sum = i == 0 ? 0 : sums[o % M];
#pragma unroll
      for (int j = 0; j < M; ++j) sum += c_mask[i * M + j] * pixels[j];
      sums[o % M] = sum;
    }
    const int complete = step - (M - 1);
    if (complete >= 0 && first_row + complete < height) {
      result[(first_row + complete) * width + col] = sums[complete % M];
    }
  }
}

__global__ void convolve_any(const float* image, float* result, int height, int width,
                             int mask_height, int mask_width) {
  const int col = blockIdx.x * kBlockWidth + threadIdx.x;
  const int row = blockIdx.y * kBlockHeight + threadIdx.y;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      const int y = row - mask_height / 2 + i;
      const int x = col - mask_width / 2 + j;
      if (y >= 0 && y < height && x >= 0 && x < width) {
        sum += c_mask[i * mask_width + j] * image[y * width + x];
      }
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const dim3 block(kBlockWidth, kBlockHeight);
  const int blocks_across = (width + kBlockWidth - 1) / kBlockWidth;
  const int rows = kBlockHeight * kOutputs;  // of a block that slides
  const dim3 grid(blocks_across, (height + rows - 1) / rows);
  const int square = mask_height == mask_width ? mask_height : 0;
  if (square == 3) {
    convolve_square<3><<<grid, block>>>(image, result, height, width);
  } else if (square == 5) {
    convolve_square<5><<<grid, block>>>(image, result, height, width);
  } else if (square == 7) {
    convolve_square<7><<<grid, block>>>(image, result, height, width);
  } else {
    const dim3 plain(blocks_across, (height + kBlockHeight - 1) / kBlockHeight);
    convolve_any<<<plain, block>>>(image, result, height, width, mask_height, mask_width);
  }
  CHECK(cudaGetLastError());
}
