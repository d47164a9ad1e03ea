#include "emulator/tests/checkers/pair.h"

// A lock that only one thread at a time has, and that orders nothing without fences.
template <bool kFence>
__global__ void count(unsigned* lock, int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0u, 1u) != 0u) {
  }
  if (kFence) __threadfence();
  *total = *total + 1;  // expect: race-global P33
  if (kFence) __threadfence();
  atomicExch(lock, 0u);
}

template <bool kFence>
void run() {
  unsigned* lock = zeros<unsigned>(1);
  int* total = zeros<int>(1);
  count<kFence><<<4, 32>>>(lock, total);
  finish();
  release(lock, total);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
