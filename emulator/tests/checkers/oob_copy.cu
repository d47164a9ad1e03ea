#include "emulator/tests/checkers/pair.h"

// Elements times the size of a pointer.
// expect on the host: oob-copy
void run(std::size_t bytes) {
  float* a = zeros<float>(100);
  float host[200];
  look(cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost));
  release(a);
}

void bug() {
  run(401);
}
void clean() {
  run(400);
}
