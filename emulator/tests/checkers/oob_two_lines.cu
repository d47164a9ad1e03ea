#include "emulator/tests/checkers/pair.h"

// Two mistakes on two lines are two findings.
__global__ void copy(const int* a, int* b, int n) {
  const int i = int(threadIdx.x);
  if (i > n) return;
  const int x = a[i];  // expect: oob-global-read
  b[i] = x + 1;  // expect: oob-global-write
}

void run(int n) {
  int *a = zeros<int>(20), *b = zeros<int>(20);
  copy<<<1, 32>>>(a, b, n);
  finish();
  release(a, b);
}

void bug() {
  run(20);
}
void clean() {
  run(19);
}
