#include "histogram.h"

#include <cuda_runtime.h>

// Counts values into bins.
__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // TODO 3: which value is this thread's? Not every thread has one.

  // TODO 4: does the value have a bin? If so, count it. Other threads may count in the same bin at
  // the same moment.
}

// Once all cases pass: each block counts in shared memory first.
__global__ void count_privately(const unsigned int* values, unsigned int* bins, int n,
                                int num_bins) {
  extern __shared__ unsigned int own[];  // num_bins counters of this block

  // TODO 6: clear: set all of `own` to 0. There may be more bins than threads in the block.

  // TODO 7: what must be between clearing and counting, and which threads must reach it? Its name
  // is
  // __syncthreads().

  // TODO 8: count, in `own`. The threads of the block still compete for a bin.

  // TODO 9: and what between counting and merging?

  // TODO 10: merge: add this block's counts to `bins`. Other blocks do the same at this moment.
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // values and bins are already in device memory: a kernel can use them directly.

  // TODO 1: the bins are uninitialized. Set all of them to 0 before any thread counts (cudaMemset
  // takes bytes). With n = 0 nothing else is needed.

  // TODO 2: how many blocks cover n values? Launch the kernel; check the launch.

  // TODO 5: was the launch accepted? Ask cudaGetLastError().

  // TODO 11: launch count_privately instead. The third argument of a launch is the size of `own`,
  // in bytes. A block gets 48 KiB: what if the bins do not fit? Few blocks merge less often: how
  // many does the device need?
}
