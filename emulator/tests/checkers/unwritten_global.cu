#include "emulator/tests/checkers/pair.h"

// Half of the input was copied.
__global__ void sum(const int* a, int* out) {
  atomicAdd(out, a[threadIdx.x]);  // expect: unwritten-global-read
}

void run(std::size_t written) {
  int *a = nullptr, *out = zeros<int>(1);
  int host[64] = {};
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return;
  if (cudaMemcpy(a, host, written, cudaMemcpyHostToDevice) != cudaSuccess) return;
  sum<<<1, 64>>>(a, out);
  finish();
  release(a, out);
}

void bug() {
  run(sizeof(int) * 32);
}
void clean() {
  run(sizeof(int) * 64);
}
