#include "emulator/tests/checkers/pair.h"

__global__ void add(const int* a, int* b) {
  b[threadIdx.x] += a[threadIdx.x];  // expect: use-after-free
}

void bug() {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  release(a);
  int* c = zeros<int>(32);  // takes no freed memory while there is other
  add<<<1, 32>>>(a, b);
  finish();
  release(b, c);
}

void clean() {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  add<<<1, 32>>>(a, b);
  // cudaFree waits for the kernel.
  release(a, b);
}
