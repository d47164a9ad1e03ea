#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* a, const float* b, float* difference, int n) {
  // TODO 1: which element is this thread's, and which threads have none?
}

__global__ void add_squares(const float* difference, float* sum, int n) {
  // TODO 2: every thread adds its square to *sum. Several threads do that at the same time: which
  // function makes sure that none is lost? What is in *sum before?

  // TODO 5: once all cases pass: add up the squares of a block in a __shared__ array first, so that
  // there is one addition to *sum per block. Where do the threads have to wait?
}

__global__ void divide(float* unit, const float* sum, int n) {
  // TODO 3: divide by the square root of *sum. What if it is 0?
}

void normalize(const float* a, const float* b, float* unit, int n) {
  // All arrays are in device memory. *sum needs memory, too: cudaMalloc, and cudaFree at the end.

  // TODO 4: launch the three kernels in this order. Why does `divide` see the whole sum?
  // What if n is 0?

  // TODO 6: do you need `subtract`? Count what each kernel reads and writes.
}
