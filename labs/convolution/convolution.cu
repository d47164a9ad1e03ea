#include "convolution.h"

#include <cuda_runtime.h>

// Part 1: one thread computes one element of the result.
__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  // TODO 1: which row and which column of the result are this thread's? Use both components of
  // blockIdx, blockDim and threadIdx; neighbors in x should be neighbors in a row.

  // TODO 2: the grid may overhang the image on the right and at the bottom. Which threads have no
  // element?

  // TODO 3: sum up mask_height * mask_width products. The mask's element (i, j) meets the pixel
  // i - mask_height / 2 rows below and j - mask_width / 2 columns to the right. What if there is no
  // such pixel?
}

// Part 2: the mask, which all threads read and none writes. It has at most 31 x 31 elements.
__constant__ float c_mask[31 * 31];

// Part 3: the outputs of a block share their pixels.
constexpr int kTile = 16;  // outputs of a block along each axis
constexpr int kMostSide = kTile + 31 - 1;  // pixels along each axis, for the largest mask

__global__ void convolve_tiled(const float* image, float* result, int height, int width,
                               int mask_height, int mask_width) {
  __shared__ float tile[kMostSide][kMostSide];  // the outputs' pixels and their halo

  // TODO 8: the upper left pixel of the tile: which row and column of the image is it? It may be
  // outside.

  // TODO 9: the block has kTile x kTile threads, and the tile more cells than that. Let each thread
  // load several, in a loop over rows and one over columns. What is the content of a ghost cell?

  // TODO 10: a barrier, __syncthreads(). May a thread without an output return before it?

  // TODO 11: sum up the products of c_mask and the tile; store the sum, if there is an output.
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  // All three pointers are device pointers: nothing has to be copied to or from the host.

  // TODO 4: is there anything to do?

  // TODO 5: how many blocks of 32 x 8 threads cover the image, along each axis? Launch the kernel.

  // TODO 6: was the launch accepted? Ask cudaGetLastError().

  // TODO 7: once all cases pass, copy the mask into c_mask before the launch (cudaMemcpyToSymbol;
  // mind the direction: the mask is on the device), and let the kernel read it there.

  // TODO 12: launch convolve_tiled instead. Does the grid count outputs or pixels?

  // A tile for the largest mask takes shared memory that a small mask does not need, and leaves
  // fewer blocks per multiprocessor. README.md says how to go on.
}
