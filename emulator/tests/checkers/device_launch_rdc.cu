#include "emulator/tests/checkers/pair.h"

__global__ void child(int* x) {
  *x = 1;
}

__global__ void parent(int* x) {
  if (threadIdx.x == 0) {
    child<<<1, 1>>>(x);  // expect: device-runtime-call
  }
}

void bug() {
  int* x = zeros<int>(1);
  parent<<<1, 32>>>(x);
  finish();
}

void clean() {
  int* x = zeros<int>(1);
  child<<<1, 1>>>(x);
  finish();
  release(x);
}
