#include "emulator/tests/checkers/pair.h"

__global__ void nothing() {}

// expect on the host: illegal-launch
void run(std::size_t bytes) {
  nothing<<<1, 32, bytes>>>();
  look(cudaGetLastError());
  finish();
}

void bug() {
  run(49153);
}
void clean() {
  run(49152);
}
