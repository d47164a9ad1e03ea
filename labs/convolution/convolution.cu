#include "convolution.h"

#include <cuda_runtime.h>

// One thread computes one element of the result.
__global__ void convolve(const float* image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  // TODO 1: which row and which column of the result are this thread's? Use both components of
  // blockIdx, blockDim and threadIdx; neighbours in x should be neighbours in a row.

  // TODO 2: the grid may overhang the image on the right and at the bottom. Which threads have no
  // element?

  // TODO 3: sum up mask_height * mask_width products. The mask's element (i, j) meets the pixel
  // i - mask_height / 2 rows below and j - mask_width / 2 columns to the right. What if there is no
  // such pixel?
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  // All three pointers are device pointers: nothing has to be copied here.

  // TODO 4: is there anything to do?

  // TODO 5: how many blocks of 32 x 8 threads cover the image, along each axis? Launch the kernel,
  // and ask whether the launch was accepted.

  // When all cases pass: put the mask into constant memory (cudaMemcpyToSymbol; mind the
  // direction), then the pixels that a block shares into shared memory. README.md has the steps.
}
