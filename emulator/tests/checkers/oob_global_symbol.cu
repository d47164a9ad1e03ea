#include "emulator/tests/checkers/pair.h"

// A device variable has bounds like any allocation.
__device__ int table[20];

__global__ void read(int* out, int i) {
  *out = table[i];  // expect: oob-global-read
}

void run(int i) {
  int* out = zeros<int>(1);
  read<<<1, 1>>>(out, i);
  finish();
  release(out);
}

void bug() {
  run(20);
}
void clean() {
  run(19);
}
