#include "emulator/tests/checkers/pair.h"

// The loop variable does not change.
__global__ void count(int* a, int step) {
  int n = 0;
  for (int i = 0; i < 100; i += step) {
    n += a[0];
  }
  a[0] = n;
}

// expect anywhere: instruction-budget
// options: --budget 100000
void run(int step) {
  int* a = zeros<int>(1);
  count<<<1, 1>>>(a, step);
  finish();
  release(a);
}

void bug() {
  run(0);
}
void clean() {
  run(1);
}
