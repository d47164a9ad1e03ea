#include "emulator/tests/checkers/pair.h"

// A tile for 32 threads, launched with more.
__global__ void copy(const int* a, int* b) {
  __shared__ int tile[32];
  tile[threadIdx.x] = a[threadIdx.x];  // expect: oob-shared-write
  __syncthreads();
  b[threadIdx.x] = tile[threadIdx.x % 32];
}

void run(unsigned threads) {
  int *a = zeros<int>(33), *b = zeros<int>(33);
  copy<<<1, threads>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run(33);
}
void clean() {
  run(32);
}
