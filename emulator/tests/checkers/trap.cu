#include "emulator/tests/checkers/pair.h"

__global__ void require(const int* a, int limit) {
  if (a[threadIdx.x] >= limit) __trap();  // expect: trap
}

void run(int limit) {
  int* a = zeros<int>(32);
  require<<<1, 32>>>(a, limit);
  finish();
  release(a);
}

void bug() {
  run(0);
}
void clean() {
  run(1);
}
