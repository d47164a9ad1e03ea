// Rung 5: tiling, strategy 1. The block is as large as its tile of outputs.
//
// The outputs of a block need T + M - 1 pixels along each axis, and each of these up to M * M
// times. The block loads them once into shared memory and works from there: (T + M - 1)^2 loads for
// T^2 outputs instead of T^2 * M^2. The tile of inputs has more cells than the block has threads,
// so the threads load in several rounds: first one cell each, then those that are a block's width
// to the right and a block's height below. In the last rounds only some of them have a cell.
//
// Ghost cells are stored as zeros, so the loops over the mask need no tests any more. The mask's
// size is known at run time only; therefore the tile is dynamic shared memory, whose size in bytes
// the launch gives.
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

constexpr int kTileWidth = 32;  // a warp reads a row of the tile: 32 banks, no conflicts
constexpr int kTileHeight = 8;
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  extern __shared__ float tile[];
  const int tile_width = kTileWidth + mask_width - 1;
  const int tile_height = kTileHeight + mask_height - 1;
  const int first_col = blockIdx.x * kTileWidth - mask_width / 2;
  const int first_row = blockIdx.y * kTileHeight - mask_height / 2;

  for (int ty = threadIdx.y; ty < tile_height; ty += kTileHeight) {
    for (int tx = threadIdx.x; tx < tile_width; tx += kTileWidth) {
      const int y = first_row + ty;
      const int x = first_col + tx;
      const bool inside = y >= 0 && y < height && x >= 0 && x < width;
      tile[ty * tile_width + tx] = inside ? image[y * width + x] : 0;
    }
  }
  __syncthreads();  // by all threads, with or without an output: none has returned yet

  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      sum += c_mask[i * mask_width + j] * tile[(threadIdx.y + i) * tile_width + threadIdx.x + j];
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const dim3 block(kTileWidth, kTileHeight);
  const dim3 grid((width + kTileWidth - 1) / kTileWidth, (height + kTileHeight - 1) / kTileHeight);
  const size_t tile_bytes = static_cast<size_t>(kTileWidth + mask_width - 1) *
                            (kTileHeight + mask_height - 1) * sizeof(float);
  convolve<<<grid, block, tile_bytes>>>(image, result, height, width, mask_height, mask_width);
  CHECK(cudaGetLastError());
}
