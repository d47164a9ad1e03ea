#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// The identity: combine(identity(op), x, op) is x for every x that of() can give.
__device__ unsigned identity(int op) {
  // TODO 1: one value for each operator. The comments of operators.h say what n = 0 gives.
  return 0;
}

// What a value counts as: kAll and kAny only ask whether it is 0, so they work on 0 and 1.
__device__ unsigned of(unsigned x, int op) {
  // TODO 2
  return x;
}

// Combines what is on the left, a, with what is on the right, b.
__device__ unsigned combine(unsigned a, unsigned b, int op) {
  // TODO 3: seven operators. For kLast it matters which one is on the left.
  return a;
}

// Combines the values of each block to one, results[blockIdx.x].
__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n, int op) {
  // TODO 4: a __shared__ array with one element per thread. What does a thread beyond n store?

  // TODO 5: a tree, with a __syncthreads() between its steps. Which partner may a thread combine
  // with, if the left part has to stay on the left?

  // TODO 6: one thread stores the block's result.
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  // values and result are in device memory already.

  // TODO 7: launch reduce_blocks. With more than one block, their results are values again that
  // have to be combined, in the order of the blocks: allocate memory for them, and launch again
  // until one is left. Free what you allocate. What has to happen for n = 0?

  // TODO 8: once all cases pass: make the operator a template parameter, combine several adjacent
  // values per thread, and let the lanes of a warp combine theirs by __shfl_down_sync.
}
