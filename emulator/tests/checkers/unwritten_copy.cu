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

// Nobody writes what lies between the members of a struct.
struct Pair {
  int value;
  long place;
};
__global__ void find(Pair* pair) {
  pair->value = 3;
  pair->place = 5;
}

void find_and_copy() {
  Pair* device = nullptr;
  Pair host;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return;
  find<<<1, 1>>>(device);
  look(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  finish();
  release(device);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
  find_and_copy();
}
