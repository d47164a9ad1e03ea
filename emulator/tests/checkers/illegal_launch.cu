#include "emulator/tests/checkers/pair.h"

__global__ void nothing() {}

// expect on the host: illegal-launch
void run(unsigned threads) {
  nothing<<<1, threads>>>();
  look(cudaGetLastError());
  finish();
}

void bug() {
  run(1025);
}
void clean() {
  run(1024);
}
