#include "emulator/tests/checkers/pair.h"

// All lanes of the mask come to a shuffle, but not to the same one: those of the upper half shuffle
// upwards, and a card waits for ever. Two places with one operation are fine.
template <bool Same>
__global__ void halves(int* a) {
  const unsigned i = threadIdx.x;
  int x = a[i];
  if (i < 16) {
    x += __shfl_down_sync(0xffffffffu, x, 16);
  } else {
    a[i] = 1;  // keeps the branches apart
    if (Same) {
      x += __shfl_down_sync(0xffffffffu, x + 1, 16);
    } else {
      x += __shfl_up_sync(0xffffffffu, x, 16);
    }
  }
  a[i] = x;
}

// expect anywhere: sync-mask
template <bool Same>
void run() {
  int* a = zeros<int>(32);
  halves<Same><<<1, 32>>>(a);
  finish();
  release(a);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
