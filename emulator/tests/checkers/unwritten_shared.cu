#include "emulator/tests/checkers/pair.h"

// The halo of the tile is read but never filled.
__global__ void blur(const int* a, int* b, bool fill_halo) {
  __shared__ int tile[34];
  const unsigned i = threadIdx.x;
  tile[i + 1] = a[i];
  if (fill_halo && i < 2) tile[i * 33] = 0;
  __syncthreads();
  const int left = tile[i];  // expect: unwritten-shared-read
  const int right = tile[i + 2];  // expect: unwritten-shared-read
  b[i] = left + right;
}

void run(bool fill_halo) {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  blur<<<1, 32>>>(a, b, fill_halo);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
