// Rung 2: one thread for each output, image and mask in global memory.
//
// A thread visits the mask element by element and adds the products with the pixels around its own.
// Pixels outside the image are ghost cells: their products are 0, so they are skipped. Every
// product takes two loads, one of a pixel and one of a mask element, for two floating-point
// operations: 4 bytes each, and the same bytes over and over. A pixel is read by the M * M threads
// around it, the mask by everybody. The caches catch most of it, but the load instructions stay.
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

constexpr int kBlockWidth = 32;  // a warp is 32 neighbours of a row
constexpr int kBlockHeight = 8;

__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  const int col = blockIdx.x * kBlockWidth + threadIdx.x;
  const int row = blockIdx.y * kBlockHeight + threadIdx.y;
  if (row >= height || col >= width) return;  // the grid may overhang on both axes

  const int first_row = row - mask_height / 2;
  const int first_col = col - mask_width / 2;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      const int y = first_row + i;
      const int x = first_col + j;
      if (y >= 0 && y < height && x >= 0 && x < width) {
        sum += mask[i * mask_width + j] * image[y * width + x];
      }
    }
  }
  result[row * width + col] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid((width + kBlockWidth - 1) / kBlockWidth,
                  (height + kBlockHeight - 1) / kBlockHeight);
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
  CHECK(cudaGetLastError());
}
