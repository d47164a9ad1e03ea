#include "emulator/tests/checkers/pair.h"

// Lanes that are not in their own masks, which take part nevertheless. Lanes that have ended may be
// in a mask.
__global__ void shift(int* a, unsigned mask, int n) {
  if (int(threadIdx.x) >= n) return;
  const int x = a[threadIdx.x];
  a[threadIdx.x] = __shfl_xor_sync(mask, x, 1);  // expect: sync-mask
}

/// Each lane names lanes of the other or of its own half.
__global__ void halves(int* a, int distance) {
  const unsigned mask = 0xffffu << ((threadIdx.x + distance) & 16);
  const int odd = __ballot_sync(mask, threadIdx.x & 1);  // expect: sync-mask
  __syncwarp(mask);  // expect: sync-mask
  a[threadIdx.x] = odd & mask;
}

/// The same in a branch, where only the other half could be meant.
__global__ void branch(int* a, unsigned mask) {
  if (threadIdx.x < 16) a[threadIdx.x] = __any_sync(mask, 1);  // expect: sync-mask
}

/// One lane of each half is not in the mask, so that the halves meet without it.
__global__ void apart(int* a, unsigned mask) {
  int sum = 0;
  if (threadIdx.x < 16) {
    sum = a[threadIdx.x] + 1;
  } else {
    sum = a[threadIdx.x] + 2;
  }
  a[threadIdx.x] = __all_sync(mask, sum);  // expect: sync-mask
}

void run(unsigned mask, int n, int distance, unsigned lower) {
  int* a = zeros<int>(32);
  shift<<<1, 32>>>(a, mask, n);
  finish();
  halves<<<1, 32>>>(a, distance);
  finish();
  branch<<<1, 32>>>(a, lower);
  finish();
  apart<<<1, 32>>>(a, mask);
  finish();
  release(a);
}

void bug() {
  run(0x7fff7fffu, 32, 16, 0xffff0000u);
}

void clean() {
  run(0xffffffffu, 32, 0, 0x0000ffffu);
  run(0xffffffffu, 20, 0, 0x0000ffffu);
}
