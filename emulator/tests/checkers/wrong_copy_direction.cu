#include "emulator/tests/checkers/pair.h"

// expect on the host: wrong-copy-direction
void run(cudaMemcpyKind kind) {
  float* a = zeros<float>(100);
  float host[100];
  look(cudaMemcpy(host, a, sizeof host, kind));
  release(a);
}

void bug() {
  run(cudaMemcpyHostToDevice);
}
void clean() {
  run(cudaMemcpyDeviceToHost);
}
