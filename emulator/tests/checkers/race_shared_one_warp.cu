#include "emulator/tests/checkers/pair.h"

// Blocks of 16 threads, as courses use them for tiles that fit on a slide. Such a block is one
// warp, so a forgotten __syncthreads() cannot be told from reliance on lockstep.

namespace tile_of_16 {

template <bool kBarrier>
__global__ void reverse(const int* a, int* b) {
  __shared__ int tile[16];
  const int i = int(threadIdx.x);
  tile[i] = a[blockIdx.x * 16 + i];
  if (kBarrier) __syncthreads();
  b[blockIdx.x * 16 + i] = tile[15 - i];  // expect warning: warp-synchronous P29
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(64), *b = zeros<int>(64);
  reverse<kBarrier><<<4, 16>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace tile_of_16

namespace stencil_of_16 {

template <bool kBarrier>
__global__ void smooth(const int* a, int* b) {
  __shared__ int tile[18];
  const int i = int(threadIdx.x);
  const int at = int(blockIdx.x) * 16 + i + 1;
  tile[i + 1] = a[at];
  if (i < 2) tile[i * 17] = a[at - 1 + i * 16];
  if (kBarrier) __syncthreads();
  b[at] = tile[i] + tile[i + 2];  // expect warning: warp-synchronous P29
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(66), *b = zeros<int>(66);
  smooth<kBarrier><<<4, 16>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace stencil_of_16

namespace product_of_4_by_4 {

// The second barrier of a tiled product; for the first one __syncwarp() is as good here.
template <bool kBarrier>
__global__ void multiply(const int* a, const int* b, int* c) {
  __shared__ int left[4][4];
  __shared__ int right[4][4];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    left[y][x] = a[y * 16 + tile * 4 + x];
    right[y][x] = b[(tile * 4 + y) * 16 + x];
    __syncwarp();
    for (int k = 0; k < 4; ++k) {
      sum += left[y][k] * right[k][x];  // expect warning: warp-synchronous P29
    }
    if (kBarrier) __syncthreads();
  }
  c[y * 4 + x] = sum;
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(256), *c = zeros<int>(16);
  multiply<kBarrier><<<1, dim3(4, 4)>>>(a, b, c);
  finish();
  release(a, b, c);
}

}  // namespace product_of_4_by_4

void bug() {
  tile_of_16::run<false>();
  stencil_of_16::run<false>();
  product_of_4_by_4::run<false>();
}
void clean() {
  tile_of_16::run<true>();
  stencil_of_16::run<true>();
  product_of_4_by_4::run<true>();
}
