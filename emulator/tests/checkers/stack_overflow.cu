#include "emulator/tests/checkers/pair.h"

__device__ __noinline__ int depth(const int* a, int n) {
  int frame[32];
  for (int i = 0; i < 32; ++i) frame[i] = a[i];
  if (n == 0) return frame[a[0]];
  return depth(a, n - 1) + frame[a[1]];  // expect: stack-overflow
}

__global__ void start(int* a, int n) {
  a[2] = depth(a, n);
}

void run(int n) {
  int* a = zeros<int>(32);
  start<<<1, 1>>>(a, n);
  finish();
  release(a);
}

void bug() {
  run(-1);
}
void clean() {
  run(1);
}
