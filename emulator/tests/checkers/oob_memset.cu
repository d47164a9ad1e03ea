#include "emulator/tests/checkers/pair.h"

// expect on the host: oob-copy
void run(std::size_t bytes) {
  float* a = zeros<float>(100);
  look(cudaMemset(a + 1, 0, bytes));
  release(a);
}

void bug() {
  run(400);
}
void clean() {
  run(396);
}
