#include "emulator/tests/checkers/pair.h"

// Lanes that wait for lanes which never come this way.
__global__ void half(int* a, unsigned mask) {
  const unsigned i = threadIdx.x;
  int x = a[i];
  if (i < 16) {
    x += __shfl_xor_sync(mask, x, 1);
  }
  __syncthreads();
  a[i] = x;
}

// expect anywhere: sync-mask
void run(unsigned mask) {
  int* a = zeros<int>(32);
  half<<<1, 32>>>(a, mask);
  finish();
  release(a);
}

void bug() {
  run(0xffffffffu);
}
void clean() {
  run(0x0000ffffu);
}
