#include "emulator/tests/checkers/pair.h"

// expect on the host: host-access-of-device-memory
// status: signal 11
void bug() {
  int* a = zeros<int>(10);
  std::printf("%d\n", a[3]);
  release(a);
}

void clean() {
  int* a = nullptr;
  if (cudaMallocManaged(&a, 40) != cudaSuccess) return;
  a[3] = 5;
  std::printf("%d\n", a[3]);
  release(a);
}
