// Rung 12: two stages of warps.
//
// Every warp reduces its own values by shuffles, and stores one result in shared memory; behind a
// single barrier the first warp reduces those. Ten shuffle steps and one barrier replace a tree of
// eight steps with a barrier each.
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
constexpr int kSegment = 2 * kBlock;  // values a block reduces
constexpr int kWarp = 32;
constexpr int kWarps = kBlock / kWarp;
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

// What the values of a warp's lanes combine to, for lane 0.
template <class Op>
__device__ float reduce_warp(float mine) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    mine = Op::combine(mine, __shfl_down_sync(kAllLanes, mine, distance));
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

// block_results[b] becomes what the values of segment b combine to.
template <class Op>
__global__ void reduce_blocks(const float* values, float* block_results, unsigned n) {
  const unsigned i = blockIdx.x * kSegment + threadIdx.x;
  const float first = i < n ? values[i] : Op::kIdentity;
  const float second = i + kBlock < n ? values[i + kBlock] : Op::kIdentity;
  const float total = reduce_block<Op>(Op::combine(first, second));
  if (threadIdx.x == 0) block_results[blockIdx.x] = total;
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

// Block by block, then the blocks' results in the same way, until a single block is enough.
template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  unsigned blocks = std::max(1u, ceil_div(n, kSegment));  // n = 0: one block of identities
  float* partials = nullptr;  // two rows, written and read in turn
  if (blocks > 1) CHECK(cudaMalloc(&partials, 2 * sizeof(float) * blocks));
  float* rows[] = {partials, partials + blocks};

  const float* in = values;
  unsigned count = n;
  for (int turn = 0; blocks > 1; turn = 1 - turn) {
    reduce_blocks<Op><<<blocks, kBlock>>>(in, rows[turn], count);
    CHECK(cudaGetLastError());
    in = rows[turn];
    count = blocks;
    blocks = ceil_div(count, kSegment);
  }
  reduce_blocks<Op><<<1, kBlock>>>(in, result, count);
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
