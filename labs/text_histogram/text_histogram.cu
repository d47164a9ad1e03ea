#include "text_histogram.h"

#include <cuda_runtime.h>

constexpr int kBins = 8;
constexpr int kBlock = 256;

__device__ int bin_of(unsigned char c) {
  // TODO 1: which bin has a letter, small or capital? Which one has everything else?
  return 0;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  // TODO 2: a private histogram of the block in __shared__ memory. Who sets it to 0? What has to
  // happen before the first thread counts?

  // TODO 3: count the bytes of this thread: neighboring threads take neighboring bytes.

  // TODO 4: add the private histogram to `bins`. What has to happen before that?
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  // text and bins are in device memory already.

  // TODO 5: set the counters to 0, and launch the kernel if there is something to count. How many
  // blocks are enough? Check the launch.

  // TODO 6: once all cases pass, let each thread count in registers first. README.md shows how
  // eight small counters fit into one register.
}
