#include "streams.h"

#include <cuda_runtime.h>

// One thread per output.
__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  // TODO 1: which output is this thread's? How many of the `taps` values before it exist?
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  // in, weights and out are in host memory.

  // TODO 2: when is there nothing to do? Allocate device memory, copy in and weights, launch the
  // kernel, copy the result back, free the memory. Check what can fail. All cases should pass now.

  // TODO 3: pinned memory. Copy `in` into a buffer from cudaMallocHost, and copy to the device from
  // there; the same for the way back. Compare the timelines in the report.

  // TODO 4: two streams, and cudaMemcpyAsync. Half of the signal in each: what does the second half
  // need from the first one? When may the results be read?

  // TODO 5: chunks. Streams take turns. What is different about the last chunk? README.md says how
  // many chunks are worth it.
}
