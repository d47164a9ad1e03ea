#include "emulator/tests/checkers/pair.h"

// A character above 127 is negative where char is signed. The place lies behind what was allocated
// before, but nearer to the array that was meant.
__global__ void count(const signed char* text, int* bins) {
  bins[text[threadIdx.x]] = 1;  // expect: oob-global-write
}

void run(int character) {
  signed char* text = zeros<signed char>(1);
  cudaMemset(text, character, 1);
  int* bins = zeros<int>(256);
  count<<<1, 1>>>(text, bins);
  finish();
  release(text, bins);
}

void bug() {
  run(200);
}
void clean() {
  run(100);
}
