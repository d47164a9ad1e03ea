#include "scan.h"

#include <cuda_runtime.h>

// Threads of a block, and elements that a block scans.
constexpr int kBlock = 256;

// Scans each block's elements by themselves, and leaves each block's total for the next kernel.
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];  // one element per thread

  // TODO 1: each thread loads one element into `temp`. What does a thread without an element store
  // there? No thread may return: all have to reach the barriers.

  // TODO 2: log2(kBlock) steps: in the step of distance d every element adds the one d places
  // before it. A step needs two barriers, __syncthreads(): what must have happened before any
  // thread writes, and before any thread reads again?

  // TODO 3: store the sums, inclusive or exclusive, where there is an element.

  // TODO 4: one thread stores the block's total.
}

// Adds to each element the sum of all blocks before its own.
__global__ void add_before(float* sums, const float* before, int n) {
  // TODO 5: what do the elements of block 0 add?
}

void scan(const float* values, float* sums, int n, int exclusive) {
  // values and sums are in device memory. Allocate and free the memory for totals.

  // TODO 6: scan the blocks; then scan their totals, which may be more than one block holds; then
  // add. Check the launches. Mind n = 0.
}
