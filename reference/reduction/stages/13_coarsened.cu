// Rung 13: more values per thread.
//
// Combining in a register is free of barriers and shuffles, so each thread does it for many values
// before the block's tree begins: a grid of fixed size walks over the input, every thread a whole
// grid further in each step, neighbours side by side. With C values per thread, the tree's cost is
// paid once for C values per thread instead of C times. The blocks' results are few enough for one
// more block, so there are two launches for any n. The warps use the butterfly (the partner is the
// lane number XOR distance): as many steps, and all lanes have the result at the end.
#include "reduction.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kBlock / kWarp;
constexpr int kValuesAThread = 16;  // at least, if there are enough
constexpr int kBlocksAMultiprocessor = 8;  // 2048 threads fill one
constexpr unsigned kAllLanes = 0xffffffff;

// An operation: the value that changes nothing, and how two values become one.
struct Sum {
  static constexpr float kIdentity = 0.0f;
  static __device__ float combine(float a, float b) { return a + b; }
};
struct Min {
  static constexpr float kIdentity = INFINITY;
  static __device__ float combine(float a, float b) { return fminf(a, b); }
};
struct Max {
  static constexpr float kIdentity = -INFINITY;
  static __device__ float combine(float a, float b) { return fmaxf(a, b); }
};
struct Product {
  static constexpr float kIdentity = 1.0f;
  static __device__ float combine(float a, float b) { return a * b; }
};

// What the values of a warp's lanes combine to, for all of them.
template <class Op>
__device__ float reduce_warp(float mine) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    mine = Op::combine(mine, __shfl_xor_sync(kAllLanes, mine, distance));
  }
  return mine;
}

// What the values of a whole block combine to, for thread 0: every warp by shuffles, then the first
// warp the warps' results. One barrier.
template <class Op>
__device__ float reduce_block(float mine) {
  __shared__ float warp_results[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  mine = reduce_warp<Op>(mine);
  if (lane == 0) warp_results[warp] = mine;
  __syncthreads();
  if (warp != 0) return mine;
  // There are 8 warps, not 32: the other lanes bring the identity.
  return reduce_warp<Op>(lane < kWarps ? warp_results[lane] : Op::kIdentity);
}

// block_results[b] becomes what block b's share of the values combines to.
template <class Op>
__global__ void reduce_blocks(const float* values, float* block_results, unsigned n) {
  float mine = Op::kIdentity;
  const unsigned step = gridDim.x * kBlock;
  for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < n; i += step) {
    mine = Op::combine(mine, values[i]);
  }
  const float total = reduce_block<Op>(mine);
  if (threadIdx.x == 0) block_results[blockIdx.x] = total;
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const unsigned most = multiprocessors * kBlocksAMultiprocessor;
  const unsigned blocks = std::min(most, ceil_div(n, kBlock * kValuesAThread));
  if (blocks <= 1) {
    reduce_blocks<Op><<<1, kBlock>>>(values, result, n);
    CHECK(cudaGetLastError());
    return;
  }
  float* partials = nullptr;
  CHECK(cudaMalloc(&partials, sizeof(float) * blocks));
  reduce_blocks<Op><<<blocks, kBlock>>>(values, partials, n);
  CHECK(cudaGetLastError());
  reduce_blocks<Op><<<1, kBlock>>>(partials, result, blocks);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(partials));
}

void reduction(const float* values, float* result, int n, int op) {
  switch (op) {
    case kSum:
      return reduce<Sum>(values, result, n);
    case kMin:
      return reduce<Min>(values, result, n);
    case kMax:
      return reduce<Max>(values, result, n);
    case kProduct:
      return reduce<Product>(values, result, n);
  }
}
