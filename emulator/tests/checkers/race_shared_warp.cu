#include "emulator/tests/checkers/pair.h"

// The last steps of a reduction, in one warp.

namespace warp_tail {

// The last steps of a reduction without barriers, as before Volta.
template <bool kSync>
__global__ void reduce(const int* a, int* b) {
  __shared__ int sums[64];
  const int i = int(threadIdx.x);
  sums[i] = a[i];
  __syncthreads();
  if (i < 32) {
    int value = sums[i] + sums[i + 32];
    for (int stride = 16; stride > 0; stride /= 2) {
      sums[i] = value;
      if (kSync) __syncwarp();
      value += sums[i + stride];  // expect warning: warp-synchronous
      if (kSync) __syncwarp();
    }
    if (i == 0) *b = value;
  }
}

template <bool kSync>
void run() {
  int *a = zeros<int>(64), *b = zeros<int>(1);
  reduce<kSync><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace warp_tail

namespace warp_volatile {

// volatile keeps the compiler from holding values in registers, but orders no lanes.
template <bool kSync>
__global__ void reduce(const int* a, int* b) {
  __shared__ int storage[64];
  volatile int* sums = storage;
  const int i = int(threadIdx.x);
  sums[i] = a[i];
  __syncthreads();
  if (i < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      const int other = sums[i + stride];  // expect warning: warp-synchronous
      if (kSync) __syncwarp();
      sums[i] = sums[i] + other;
      if (kSync) __syncwarp();
    }
    if (i == 0) *b = sums[0];
  }
}

template <bool kSync>
void run() {
  int *a = zeros<int>(64), *b = zeros<int>(1);
  reduce<kSync><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace warp_volatile

void bug() {
  warp_tail::run<false>();
  warp_volatile::run<false>();
}
void clean() {
  warp_tail::run<true>();
  warp_volatile::run<true>();
}
