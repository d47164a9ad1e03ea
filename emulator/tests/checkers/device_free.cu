#include "emulator/tests/checkers/pair.h"

__global__ void allocate(int* a, int times) {
  int* p = static_cast<int*>(malloc(16));
  if (p == nullptr) return;
  p[0] = 5;
  *a = p[0];
  for (int i = 0; i < times; ++i) free(p);  // expect: invalid-device-free
}

void run(int times) {
  int* a = zeros<int>(1);
  allocate<<<1, 1>>>(a, times);
  finish();
  release(a);
}

void bug() {
  run(2);
}
void clean() {
  run(1);
}
