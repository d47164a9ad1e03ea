#include "emulator/tests/checkers/pair.h"

// Whole warps leave before a barrier: the hardware does not wait for them, the program is wrong
// all the same as soon as it counts on them.
__global__ void reverse(int* a, int n) {
  __shared__ int tile[64];
  const int i = int(threadIdx.x);
  if (i >= n) return;
  tile[i] = a[i];
  __syncthreads();  // expect warning: barrier-early-exit
  a[i] = tile[n - 1 - i];
}

void run(int n) {
  int* a = zeros<int>(64);
  reverse<<<1, 64>>>(a, n);
  finish();
  release(a);
}

void bug() {
  run(32);
}
void clean() {
  run(64);
}
