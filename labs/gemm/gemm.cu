#include "gemm.h"

#include <cuda_runtime.h>

// One thread computes one element of C: the sum of a row of A times a column of B.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO 1: which row and which column of C are this thread's? Neighbouring threads (threadIdx.x)
  // should have neighbouring columns.

  // TODO 2: the grid may have more threads than C has elements, to the right and below. Which
  // threads have no element?

  // TODO 3: sum up the k products in a register, then store the sum once.
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  // a, b and c are in the device's memory already.

  // TODO 4: when is there nothing to compute, and what has to happen when k is 0?

  // TODO 5: how many blocks of 16 x 16 threads cover m rows and n columns? Launch the kernel and
  // check the launch.

  // TODO 6: once all cases pass, let the threads of a block share what they load: a tile of A and a
  // tile of B in shared memory. README.md has the steps.
}
