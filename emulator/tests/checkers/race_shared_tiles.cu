#include "emulator/tests/checkers/pair.h"

// Tiles in shared memory: a barrier that is missing, and the programs that have it.

namespace missing_barrier {

// Reads what other warps store, with nothing in between.
template <bool kBarrier>
__global__ void reverse(const int* a, int* b) {
  __shared__ int tile[128];
  const int i = int(threadIdx.x);
  tile[i] = 0;
  __syncthreads();
  tile[i] = a[i];
  if (kBarrier) __syncthreads();
  b[i] = tile[127 - i];  // expect: race-shared P22
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(128), *b = zeros<int>(128);
  reverse<kBarrier><<<1, 128>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace missing_barrier

namespace next_tile {

// A tile that is overwritten for the next round while slower warps still read it.
template <bool kBarrier>
__global__ void sum_tiles(const int* a, int* b, int rounds) {
  __shared__ int tile[128];
  const int i = int(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    tile[i] = a[round * 128 + i];
    __syncthreads();
    sum += tile[(i + 32) % 128];  // expect: race-shared P23
    if (kBarrier) __syncthreads();
  }
  b[i] = sum;
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(512), *b = zeros<int>(128);
  sum_tiles<kBarrier><<<1, 128>>>(a, b, 4);
  finish();
  release(a, b);
}

}  // namespace next_tile

namespace scan_in_place {

// Kogge-Stone with one barrier per step: threads read elements that others already overwrite.
template <bool kBoth>
__global__ void scan(const int* a, int* b) {
  __shared__ int sums[256];
  const int i = int(threadIdx.x);
  sums[i] = a[i];
  for (int stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    int value = sums[i];
    if (i >= stride)
      value += sums[i - stride];  // expect: race-shared P23 // expect warning: warp-synchronous
    if (kBoth) __syncthreads();
    sums[i] = value;
  }
  b[i] = sums[i];
}

template <bool kBoth>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(256);
  scan<kBoth><<<1, 256>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace scan_in_place

namespace double_buffer {

// With two buffers one barrier per round is enough; with one it is not.
__global__ void sum_tiles(const int* a, int* b, int rounds, int buffers) {
  __shared__ int tile[2][128];
  const int i = int(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    int* now = tile[round % buffers];
    now[i] = a[round * 128 + i];
    __syncthreads();
    sum += now[(i + 64) % 128];  // expect: race-shared P23
  }
  b[i] = sum;
}

void run(int buffers) {
  int *a = zeros<int>(512), *b = zeros<int>(128);
  sum_tiles<<<1, 128>>>(a, b, 4, buffers);
  finish();
  release(a, b);
}

}  // namespace double_buffer

void bug() {
  missing_barrier::run<false>();
  next_tile::run<false>();
  scan_in_place::run<false>();
  double_buffer::run(1);
}
void clean() {
  missing_barrier::run<true>();
  next_tile::run<true>();
  scan_in_place::run<true>();
  double_buffer::run(2);
}
