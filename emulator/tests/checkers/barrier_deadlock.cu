#include "emulator/tests/checkers/pair.h"

// A named barrier for 64 threads that only 32 reach.
__global__ void partial(int* a, unsigned threads) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = a[i];
  if (i < threads) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // expect: barrier-divergence
  }
  a[i] = tile[i];
}

void run(unsigned threads) {
  int* a = zeros<int>(64);
  partial<<<1, 64>>>(a, threads);
  finish();
  release(a);
}

void bug() {
  run(32);
}
void clean() {
  run(64);
}
