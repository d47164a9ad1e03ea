#include "emulator/tests/checkers/pair.h"

__global__ void mark(int* out, int i, int j) {
  int values[8] = {};
  values[i] = 5;  // expect: oob-local-write
  out[threadIdx.x] = values[j];
}

void run(int i) {
  int* out = zeros<int>(32);
  mark<<<1, 32>>>(out, i, 3);
  finish();
  release(out);
}

void bug() {
  run(-1);
}
void clean() {
  run(0);
}
