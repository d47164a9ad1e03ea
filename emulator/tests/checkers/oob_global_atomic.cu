#include "emulator/tests/checkers/pair.h"

// A histogram with one bin too few for its values.
__global__ void histogram(int* bins) {
  atomicAdd(&bins[threadIdx.x % 10], 1);  // expect: oob-global-write
}

void run(std::size_t bins) {
  int* counts = zeros<int>(bins);
  histogram<<<4, 64>>>(counts);
  finish();
  release(counts);
}

void bug() {
  run(9);
}
void clean() {
  run(10);
}
