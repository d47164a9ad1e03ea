// Rung 1: a convolution of one dimension, row by row of the mask.
//
// In one dimension an output is the sum of mask_width products of neighbours in a row. A mask of
// several rows is as many such convolutions, each with the image shifted up or down by some rows,
// added up: so the kernel is launched once for each row of the mask. The first launch stores its
// sums, the others add theirs. (With mask_height 1 this is a 1D convolution and nothing else.)
//
// Right, and costly: each launch reads the image and the mask's row from global memory once for
// every product, and moves all of the result out and in again.
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

constexpr int kBlock = 256;

// Adds to each element of `result` what a row of the mask makes of the image row `shift` below.
__global__ void convolve_rows(const float* image, const float* mask_row, float* result, int height,
                              int width, int mask_width, int shift, bool first) {
  // unsigned: rounded up to whole blocks, the number of threads may pass 2^31 - 1
  const unsigned index = blockIdx.x * kBlock + threadIdx.x;
  if (index >= static_cast<unsigned>(height) * width) return;
  const int y = static_cast<int>(index / width) + shift;
  const int first_col = static_cast<int>(index % width) - mask_width / 2;

  float sum = first ? 0 : result[index];
  if (y >= 0 && y < height) {  // a row of ghost cells adds nothing
    for (int j = 0; j < mask_width; ++j) {
      const int x = first_col + j;
      if (x >= 0 && x < width) sum += mask_row[j] * image[y * width + x];
    }
  }
  result[index] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const unsigned blocks = (static_cast<unsigned>(height) * width + kBlock - 1) / kBlock;
  for (int i = 0; i < mask_height; ++i) {  // launches of one stream run one after another
    convolve_rows<<<blocks, kBlock>>>(image, mask + i * mask_width, result, height, width,
                                      mask_width, i - mask_height / 2, i == 0);
    CHECK(cudaGetLastError());
  }
}
