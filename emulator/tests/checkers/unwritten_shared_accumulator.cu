#include "emulator/tests/checkers/pair.h"

// A shared counter that nobody set to zero.
__global__ void count(int* out, bool clear) {
  __shared__ int total;
  if (clear && threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);  // expect: unwritten-shared-read
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

void run(bool clear) {
  int* out = zeros<int>(1);
  count<<<1, 64>>>(out, clear);
  finish();
  release(out);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
