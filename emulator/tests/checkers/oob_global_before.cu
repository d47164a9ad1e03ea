#include "emulator/tests/checkers/pair.h"

// The first thread reads its left neighbour.
__global__ void difference(const int* a, int* b, int first) {
  const int i = int(threadIdx.x);
  if (i < first) return;
  b[i] = a[i] - a[i - 1];  // expect: oob-global-read
}

void run(int first) {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  difference<<<1, 32>>>(a, b, first);
  finish();
  release(a, b);
}

void bug() {
  run(0);
}
void clean() {
  run(1);
}
