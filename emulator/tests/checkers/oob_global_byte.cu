#include "emulator/tests/checkers/pair.h"

// One byte after an allocation whose size is not a multiple of anything.
__global__ void store(char* a, int i) {
  a[i] = 1;  // expect: oob-global-write
}

void run(int i) {
  char* a = zeros<char>(13);
  store<<<1, 1>>>(a, i);
  finish();
  release(a);
}

void bug() {
  run(13);
}
void clean() {
  run(12);
}
