#include "emulator/tests/checkers/pair.h"

// No guard: right only when the grid covers the array exactly.
__global__ void fill(int* a) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  a[i] = i;  // expect: oob-global-write
}

void run(std::size_t n) {
  int* a = zeros<int>(n);
  fill<<<2, 64>>>(a);
  finish();
  release(a);
}

void bug() {
  run(127);
}
void clean() {
  run(128);
}
