#include "emulator/tests/checkers/pair.h"

__global__ void store(int* a, int n) {
  if (n > 0) a[3] = n;  // expect: null-pointer
}

void bug() {
  store<<<1, 1>>>(nullptr, 1);
  finish();
}

void clean() {
  store<<<1, 1>>>(nullptr, 0);
  finish();
}
