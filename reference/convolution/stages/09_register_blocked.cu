// Rung 9: register blocking. A pixel that was read from shared memory serves several outputs.
//
// In rung 8 every product still takes a load from shared memory. Here the four outputs of a thread
// are neighbours in a column, so they share pixels: for a column of a 5 x 5 mask their four times
// five products take 8 pixels, not 20. These are read into registers once, 10 loads from shared
// memory an output instead of 25. Registers cannot be indexed at run time, so the loops have to be
// unrolled: the mask's size is a template parameter for the usual masks. All others go by a version
// with the size at run time, in which the four pixels in use move on by one register per step.
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

constexpr int kTileWidth = 32;
constexpr int kBlockHeight = 8;
constexpr int kOutputs = 4;  // of a thread, one below the other
constexpr int kTileHeight = kOutputs * kBlockHeight;
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

__device__ void load_tile(const float* image, float* tile, int height, int width, int mask_height,
                          int mask_width) {
  const int tile_width = kTileWidth + mask_width - 1;
  const int tile_height = kTileHeight + mask_height - 1;
  const int first_col = blockIdx.x * kTileWidth - mask_width / 2;
  const int first_row = blockIdx.y * kTileHeight - mask_height / 2;
  for (int ty = threadIdx.y; ty < tile_height; ty += kBlockHeight) {
    for (int tx = threadIdx.x; tx < tile_width; tx += kTileWidth) {
      const int y = first_row + ty;
      const int x = first_col + tx;
      const bool inside = y >= 0 && y < height && x >= 0 && x < width;
      tile[ty * tile_width + tx] = inside ? image[y * width + x] : 0;
    }
  }
  __syncthreads();
}

__device__ void store(const float (&sums)[kOutputs], float* result, int height, int width) {
  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y * kOutputs;
#pragma unroll
  for (int k = 0; k < kOutputs; ++k) {
    if (row + k < height && col < width) result[(row + k) * width + col] = sums[k];
  }
}

// A mask of M x M, everything unrolled.
template <int M>
__global__ void convolve_square(const float* image, float* result, int height, int width) {
  constexpr int kRows = kOutputs + M - 1;  // pixels of a column that a thread needs
  constexpr int kRowLength = kTileWidth + M - 1;
  __shared__ float tile[(kTileHeight + M - 1) * kRowLength];
  load_tile(image, tile, height, width, M, M);

  float sums[kOutputs] = {};
#pragma unroll
  for (int j = 0; j < M; ++j) {
    float pixels[kRows];
#pragma unroll
    for (int y = 0; y < kRows; ++y) {
      pixels[y] = tile[(threadIdx.y * kOutputs + y) * kRowLength + threadIdx.x + j];
    }
#pragma unroll
    for (int i = 0; i < M; ++i) {
#pragma unroll
      for (int k = 0; k < kOutputs; ++k) sums[k] += c_mask[i * M + j] * pixels[i + k];
    }
  }
  store(sums, result, height, width);
}

// Any mask.
__global__ void convolve_any(const float* image, float* result, int height, int width,
                             int mask_height, int mask_width) {
  extern __shared__ float tile[];
  const int tile_width = kTileWidth + mask_width - 1;
  load_tile(image, tile, height, width, mask_height, mask_width);

  float sums[kOutputs] = {};
  for (int j = 0; j < mask_width; ++j) {
    const float* column = tile + threadIdx.y * kOutputs * tile_width + threadIdx.x + j;
    float pixels[kOutputs];  // those that row i of the mask meets
#pragma unroll
    for (int k = 0; k < kOutputs; ++k) pixels[k] = column[k * tile_width];
    for (int i = 0; i < mask_height; ++i) {
      const float weight = c_mask[i * mask_width + j];
#pragma unroll
      for (int k = 0; k < kOutputs; ++k) sums[k] += weight * pixels[k];
#pragma unroll
      for (int k = 0; k + 1 < kOutputs; ++k) pixels[k] = pixels[k + 1];
      // The last row's step needs no pixel below; there is none in the tile.
      if (i + 1 < mask_height) pixels[kOutputs - 1] = column[(i + kOutputs) * tile_width];
    }
  }
  store(sums, result, height, width);
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const dim3 block(kTileWidth, kBlockHeight);
  const dim3 grid((width + kTileWidth - 1) / kTileWidth, (height + kTileHeight - 1) / kTileHeight);
  const int square = mask_height == mask_width ? mask_height : 0;
  if (square == 3) {
    convolve_square<3><<<grid, block>>>(image, result, height, width);
  } else if (square == 5) {
    convolve_square<5><<<grid, block>>>(image, result, height, width);
  } else if (square == 7) {
    convolve_square<7><<<grid, block>>>(image, result, height, width);
  } else {
    const size_t tile_bytes = static_cast<size_t>(kTileWidth + mask_width - 1) *
                              (kTileHeight + mask_height - 1) * sizeof(float);
    convolve_any<<<grid, block, tile_bytes>>>(image, result, height, width, mask_height,
                                              mask_width);
  }
  CHECK(cudaGetLastError());
}
