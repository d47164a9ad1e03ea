#include "emulator/tests/checkers/pair.h"

// The launch gives elements where bytes are wanted.
__global__ void copy(const int* a, int* b) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = a[threadIdx.x];  // expect: oob-shared-write
  __syncthreads();
  b[threadIdx.x] = tile[threadIdx.x];
}

void run(std::size_t bytes) {
  int *a = zeros<int>(64), *b = zeros<int>(64);
  copy<<<1, 64, bytes>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run(64);
}
void clean() {
  run(64 * sizeof(int));
}
