#include "emulator/tests/checkers/pair.h"

__global__ void child(int* x) {
  *x = 1;
}

__global__ void parent(int* x, unsigned threads) {
  if (threadIdx.x == 0) {
    child<<<1, threads>>>(x);  // expect: illegal-launch
  }
}

void run(unsigned threads) {
  int* x = zeros<int>(1);
  parent<<<1, 32>>>(x, threads);
  finish();
  release(x);
}

void bug() {
  run(2048);
}

void clean() {
  run(1);
}
