#include "reduction.h"

#include <cuda_runtime.h>

// The identity element: combine(identity(op), x, op) is x for every x.
__device__ float identity(int op) {
  // TODO 1: one value for each of kSum, kMin, kMax and kProduct.
  return 0.0f;
}

__device__ float combine(float a, float b, int op) {
  // TODO 2: the four operations.
  return a;
}

// Combines the values of each block into one result per block.
__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  // TODO 3: a __shared__ array with one element per thread of the block (256, say), in which it
  // stores its value. What does a thread beyond n store?

  // TODO 4: a tree: in each step the remaining threads combine their value with a partner's. Where
  // do the threads of the block have to wait for each other?

  // TODO 5: one thread stores the block's result.
}

void reduction(const float* values, float* result, int n, int op) {
  // values and result are in device memory already: nothing has to be copied to the host or back.

  // TODO 6: how many blocks cover n values? What has to happen for n = 0?

  // TODO 7: launch reduce_blocks, and check the launch. With more than one block their results have
  // to be combined, too: a scratch buffer and more launches are one way. Free what you allocate.
}
