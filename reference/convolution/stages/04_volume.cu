// Rung 4: three dimensions. An image is a volume of depth 1.
//
// The kernel is written for volumes and masks of depth x height x width. A block computes a piece
// of one plane. It goes through the mask plane by plane: the block loads the part of the volume's
// plane that this plane of the mask reaches into shared memory, then every thread adds up its
// products from there. (A tile with all planes at once would be too large: a cube of 32^3 threads
// or floats fits on no multiprocessor, the largest cube of threads has an edge of 10.)
//
// Shared memory is what makes it cheaper than rung 3, and what needs two barriers per plane: one so
// that no thread reads a cell before it is written, one so that none overwrites a cell that others
// still read. The mask is in constant memory: 64 KB hold 16384 elements, 25^3 but not 27^3.
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
constexpr int kMaskElements = 16384;  // all of constant memory
constexpr int kLargestGridZ = 65535;

__constant__ float c_mask[kMaskElements];

__global__ void convolve_volume(const float* volume, float* result, int depth, int height,
                                int width, int mask_depth, int mask_height, int mask_width) {
  extern __shared__ float tile[];  // tile_height x tile_width, of one plane
  const int tile_width = kTileWidth + mask_width - 1;
  const int tile_height = kTileHeight + mask_height - 1;
  const int first_col = blockIdx.x * kTileWidth - mask_width / 2;
  const int first_row = blockIdx.y * kTileHeight - mask_height / 2;
  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y;

  for (int plane = blockIdx.z; plane < depth; plane += gridDim.z) {
    float sum = 0;
    for (int k = 0; k < mask_depth; ++k) {
      const int z = plane + k - mask_depth / 2;
      if (z < 0 || z >= depth) continue;  // the whole block skips a plane of ghost cells
      __syncthreads();  // the tile before this one is used up

      for (int ty = threadIdx.y; ty < tile_height; ty += kTileHeight) {
        for (int tx = threadIdx.x; tx < tile_width; tx += kTileWidth) {
          const int y = first_row + ty;
          const int x = first_col + tx;
          const bool inside = y >= 0 && y < height && x >= 0 && x < width;
          tile[ty * tile_width + tx] = inside ? volume[(z * height + y) * width + x] : 0;
        }
      }
      __syncthreads();  // the tile is complete

      const float* mask_plane = c_mask + k * mask_height * mask_width;
      for (int i = 0; i < mask_height; ++i) {
        for (int j = 0; j < mask_width; ++j) {
          sum += mask_plane[i * mask_width + j] *
                 tile[(threadIdx.y + i) * tile_width + threadIdx.x + j];
        }
      }
    }
    if (row < height && col < width) result[(plane * height + row) * width + col] = sum;
  }
}

// Volume and result are depth x height x width, below 2^31 elements; the mask's extents are odd, up
// to 31, and their product is at most 16384. All pointers are device pointers.
void convolution_3d(const float* volume, const float* mask, float* result, int depth, int height,
                    int width, int mask_depth, int mask_height, int mask_width) {
  if (depth == 0 || height == 0 || width == 0) return;
  const size_t mask_bytes =
      static_cast<size_t>(mask_depth) * mask_height * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const dim3 block(kTileWidth, kTileHeight);
  const dim3 grid((width + kTileWidth - 1) / kTileWidth, (height + kTileHeight - 1) / kTileHeight,
                  depth < kLargestGridZ ? depth : kLargestGridZ);
  const size_t tile_bytes = static_cast<size_t>(kTileWidth + mask_width - 1) *
                            (kTileHeight + mask_height - 1) * sizeof(float);
  convolve_volume<<<grid, block, tile_bytes>>>(volume, result, depth, height, width, mask_depth,
                                               mask_height, mask_width);
  CHECK(cudaGetLastError());
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  convolution_3d(image, mask, result, 1, height, width, 1, mask_height, mask_width);
}
