// Rung 6: tiling, strategy 2. The block is as large as its tile of inputs.
//
// Each thread loads exactly one cell: no rounds, no divergence while loading, no arithmetic to find
// the next cell. The price comes afterwards: the tile of outputs is smaller than the block by
// M - 1 along each axis, and the threads of the rim have no output. With 32 x 32 threads and a mask
// of 5 x 5, 28 * 28 of 1024 threads compute (76.6 %), with 11 x 11 not even half.
//
// A block has at most 1024 threads, so the tile of inputs is at most 32 x 32. The largest mask of
// this lab, 31 x 31, leaves 2 x 2 outputs per block: it works, but this is no strategy for it. The
// grid counts tiles of OUTPUTS.
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

constexpr int kBlock = 32;  // the tile of inputs, along each axis
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

__global__ void convolve(const float* image, float* result, int height, int width, int mask_height,
                         int mask_width) {
  __shared__ float tile[kBlock][kBlock];
  const int out_width = kBlock - (mask_width - 1);
  const int out_height = kBlock - (mask_height - 1);
  // Thread (0, 0) loads the corner of the halo: up and left of the first output.
  const int x = blockIdx.x * out_width + threadIdx.x - mask_width / 2;
  const int y = blockIdx.y * out_height + threadIdx.y - mask_height / 2;
  const bool inside = y >= 0 && y < height && x >= 0 && x < width;
  tile[threadIdx.y][threadIdx.x] = inside ? image[y * width + x] : 0;
  __syncthreads();

  // The first out_height x out_width threads compute.
  const int col = blockIdx.x * out_width + threadIdx.x;
  const int row = blockIdx.y * out_height + threadIdx.y;
  if (threadIdx.x >= out_width || threadIdx.y >= out_height || row >= height || col >= width) {
    return;
  }
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      sum += c_mask[i * mask_width + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbol(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const int out_width = kBlock - (mask_width - 1);
  const int out_height = kBlock - (mask_height - 1);
  const dim3 block(kBlock, kBlock);
  const dim3 grid((width + out_width - 1) / out_width, (height + out_height - 1) / out_height);
  convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
  CHECK(cudaGetLastError());
}
