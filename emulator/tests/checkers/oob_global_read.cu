#include "emulator/tests/checkers/pair.h"

// The last thread reads its right neighbour.
__global__ void difference(const float* a, float* b, int n, int last) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float own = a[i];
  if (i < last) b[i] = a[i + 1] - own;  // expect: oob-global-read
}

void run(int last) {
  float *a = zeros<float>(100), *b = zeros<float>(100);
  difference<<<2, 64>>>(a, b, 100, last);
  finish();
  release(a, b);
}

void bug() {
  run(100);
}
void clean() {
  run(99);
}
