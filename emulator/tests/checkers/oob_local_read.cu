#include "emulator/tests/checkers/pair.h"

__global__ void pick(int* out, int i) {
  int values[8];
  for (int j = 0; j < 8; ++j) values[j] = out[j];
  out[0] = values[i];  // expect: oob-local-read
}

void run(int i) {
  int* out = zeros<int>(8);
  pick<<<1, 1>>>(out, i);
  finish();
  release(out);
}

void bug() {
  run(8);
}
void clean() {
  run(7);
}
