#include "emulator/tests/checkers/pair.h"

// Threads without an element leave; the others of their warp wait at the barrier.
__global__ void reverse(int* a, int n) {
  __shared__ int tile[64];
  const int i = int(threadIdx.x);
  if (i >= n) return;
  tile[i] = a[i];
  __syncthreads();  // expect: barrier-divergence
  a[i] = tile[n - 1 - i];
}

void run(int n) {
  int* a = zeros<int>(64);
  reverse<<<1, 64>>>(a, n);
  finish();
  release(a);
}

void bug() {
  run(50);
}
void clean() {
  run(64);
}
