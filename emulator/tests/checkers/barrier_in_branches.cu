#include "emulator/tests/checkers/pair.h"

// Two barriers in two branches are not one barrier, whatever the hardware counts.
__global__ void exchange(int* a, int limit) {
  __shared__ int tile[64];
  const int i = int(threadIdx.x);
  if (i < limit) {
    tile[i] = a[i];
    __syncthreads();
    a[i] = tile[63 - i];
  } else {
    tile[i] = -a[i];
    __syncthreads();  // expect: barrier-divergence
    a[i] = tile[63 - i] * 3;
  }
}

void run(int limit) {
  int* a = zeros<int>(64);
  exchange<<<1, 64>>>(a, limit);
  finish();
  release(a);
}

void bug() {
  run(32);
}
void clean() {
  run(64);
}
