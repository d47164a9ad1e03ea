#include "emulator/tests/checkers/pair.h"

// A lane that is not in its own mask. Lanes that have ended may be in a mask.
__global__ void shift(int* a, unsigned mask, int n) {
  if (int(threadIdx.x) >= n) return;
  const int x = a[threadIdx.x];
  a[threadIdx.x] = __shfl_xor_sync(mask, x, 1);  // expect: sync-mask
}

void run(unsigned mask, int n) {
  int* a = zeros<int>(32);
  shift<<<1, 32>>>(a, mask, n);
  finish();
  release(a);
}

void bug() {
  run(0x7fffffffu, 32);
}

void clean() {
  run(0xffffffffu, 32);
  run(0xffffffffu, 20);
}
