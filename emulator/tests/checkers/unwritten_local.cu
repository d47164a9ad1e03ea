#include "emulator/tests/checkers/pair.h"

// Only the first `n` of the thread's own array are set.
__global__ void sort_of(const int* a, int* out, int n, int pick) {
  int values[16];
  for (int i = 0; i < n; ++i) values[i] = a[i];
  out[threadIdx.x] = values[pick];  // expect: unwritten-local-read
}

void run(int n) {
  int *a = zeros<int>(16), *out = zeros<int>(32);
  sort_of<<<1, 32>>>(a, out, n, 15);
  finish();
  release(a, out);
}

void bug() {
  run(15);
}
void clean() {
  run(16);
}
