// Rung 7: tiling, strategy 3. The tile of shared memory is the block's own pixels, without a halo.
//
// One load per thread, every thread computes, and the tile's size does not depend on the mask's.
// What a thread needs from beyond the tile it reads from global memory: neighbouring blocks need
// the same pixels at about the same time, so they are in the second-level cache, or in the first.
//
// The price is a test for every product, and divergence: for most elements of the mask some lanes
// of a warp are inside the tile and some are not, so the warp goes both ways. With a 16 x 16 tile
// and a 9 x 5 mask 2344 of 11520 reads go to global memory. With a mask of 3 x 3 there are as few
// as with the other strategies.
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
constexpr int kTileHeight = 8;
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  __shared__ float tile[kTileHeight][kTileWidth];
  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y;
  const bool has_output = row < height && col < width;
  tile[threadIdx.y][threadIdx.x] = has_output ? image[row * width + col] : 0;
  __syncthreads();
  if (!has_output) return;

  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    const int dy = i - mask_height / 2;
    const int tile_y = threadIdx.y + dy;
    for (int j = 0; j < mask_width; ++j) {
      const int dx = j - mask_width / 2;
      const int tile_x = threadIdx.x + dx;
      float pixel = 0;
      if (tile_y >= 0 && tile_y < kTileHeight && tile_x >= 0 && tile_x < kTileWidth) {
        pixel = tile[tile_y][tile_x];
      } else if (row + dy >= 0 && row + dy < height && col + dx >= 0 && col + dx < width) {
        pixel = image[(row + dy) * width + col + dx];
      }
      sum += c_mask[i * mask_width + j] * pixel;
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
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
  CHECK(cudaGetLastError());
}
