#include "emulator/tests/checkers/pair.h"

// The first kernel leaves every second element out.
__global__ void produce(int* a, int step) {
  if (int(threadIdx.x) % step == 0) a[threadIdx.x] = 1;
}

__global__ void consume(const int* a, int* out) {
  out[threadIdx.x] = a[threadIdx.x];  // expect: unwritten-global-read
}

void run(int step) {
  int *a = nullptr, *out = zeros<int>(32);
  if (cudaMalloc(&a, 128) != cudaSuccess) return;
  produce<<<1, 32>>>(a, step);
  consume<<<1, 32>>>(a, out);
  finish();
  release(a, out);
}

void bug() {
  run(2);
}
void clean() {
  run(1);
}
