#include "emulator/tests/checkers/pair.h"

// The result is copied back although no kernel wrote it.
// expect on the host warning: unwritten-copy
void run(bool write) {
  int* a = nullptr;
  int host[32];
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return;
  if (write && cudaMemset(a, 0, sizeof host) != cudaSuccess) return;
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return;
  release(a);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
