#include "histogram.h"

#include <cuda_runtime.h>

// Counts values into bins.
__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // TODO 3: which value is this thread's? Not every thread has one.

  // TODO 4: does the value have a bin? If so, count it. Other threads may count in the same bin at
  // the same moment.

  // TODO 6: let each block count in shared memory first, and add its counts to `bins` at the end.
  // Three things happen one after the other then: clear, count, merge. What must be between them?
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // values and bins are already in device memory: a kernel can use them directly.

  // TODO 1: the bins are uninitialized. Set all of them to 0 before any thread counts (cudaMemset
  // takes bytes). With n = 0 nothing else is needed.

  // TODO 2: how many blocks cover n values? Launch the kernel; check the launch.

  // TODO 5: what if there are more bins than threads in a block, or more than fit into shared
  // memory?
}
