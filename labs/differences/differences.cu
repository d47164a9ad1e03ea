#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  // TODO 1: which element is this thread's, and which threads have none?

  // TODO 2: the first element has no neighbour on its left. What is its result?

  // TODO 3: once all cases pass: the value on the left is loaded by the thread on the left. Let the
  // threads of the block share what they load, in a __shared__ array. Where do they have to wait?
  // Who loads the value on the left of the block's first one?
}

void differences(const float* values, float* result, int n) {
  // values and result are in device memory already: nothing has to be copied to the host or back.

  // TODO 4: how many blocks cover n elements? What if n is 0? Launch the kernel, and check the
  // launch.
}
