#include "emulator/tests/checkers/pair.h"

// Updates are lost in a race, and so a loop waits for a count that never comes.

template <bool kAtomic>
__global__ void count_all(int* b) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (kAtomic) {
    atomicAdd(&arrived, 1);
  } else {
    arrived += 1;  // expect: race-shared // expect warning: warp-synchronous
  }
  for (;;) {
    __syncthreads();
    if (arrived == int(blockDim.x)) break;
    __syncthreads();
    b[threadIdx.x] += 1;
  }
}

// expect anywhere: instruction-budget
// options: --budget 100000
template <bool kAtomic>
void run() {
  int* b = zeros<int>(1024);
  count_all<kAtomic><<<1, 1024>>>(b);
  finish();
  release(b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
