// Rung 8: several outputs per thread.
//
// The tile of outputs is 32 x 32, the block 32 x 8: each thread computes four outputs, 8 rows
// apart.
// - The tile has relatively less halo: a mask of 5 x 5 loads 36 * 36 pixels for 1024 outputs (1.27
//   each), where rung 5 loads 36 * 12 for 256 (1.69 each).
// - The mask's element, the loop and the address of the first pixel serve four outputs at once. The
//   four additions do not wait for each other either.
// Too much of it would leave too few blocks, and too many sums for the registers.
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
constexpr int kOutputs = 4;  // of a thread
constexpr int kTileHeight = kOutputs * kBlockHeight;
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  extern __shared__ float tile[];
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

  float sums[kOutputs] = {};  // every index is known when the loops are unrolled: registers
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      const float weight = c_mask[i * mask_width + j];
      const float* pixel = tile + (threadIdx.y + i) * tile_width + threadIdx.x + j;
#pragma unroll
      for (int k = 0; k < kOutputs; ++k) {
        sums[k] += weight * pixel[k * kBlockHeight * tile_width];
      }
    }
  }

  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kOutputs; ++k) {
    const int y = row + k * kBlockHeight;
    if (y < height && col < width) result[y * width + col] = sums[k];
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const dim3 block(kTileWidth, kBlockHeight);
  const dim3 grid((width + kTileWidth - 1) / kTileWidth, (height + kTileHeight - 1) / kTileHeight);
  const size_t tile_bytes = static_cast<size_t>(kTileWidth + mask_width - 1) *
                            (kTileHeight + mask_height - 1) * sizeof(float);
  convolve<<<grid, block, tile_bytes>>>(image, result, height, width, mask_height, mask_width);
  CHECK(cudaGetLastError());
}
