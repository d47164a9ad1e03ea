// Rung 10: the last warp exchanges registers.
//
// __shfl_down_sync gives a lane the register of the lane `distance` further on: one instruction
// where rung 9 stores, waits, loads and waits. The mask names all 32 lanes, and all 32 take part in
// every step; lanes that have nobody `distance` further on get their own value back, and what they
// make of it never reaches lane 0.
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

// block_results[b] becomes what the values of segment b combine to.
template <class Op>
__global__ void reduce_blocks(const float* values, float* block_results, unsigned n) {
  __shared__ float cache[kBlock];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kSegment + t;
  const float first = i < n ? values[i] : Op::kIdentity;
  const float second = i + kBlock < n ? values[i + kBlock] : Op::kIdentity;
  cache[t] = Op::combine(first, second);
  __syncthreads();
  for (unsigned stride = kBlock / 2; stride > kWarp; stride /= 2) {
    if (t < stride) cache[t] = Op::combine(cache[t], cache[t + stride]);
    __syncthreads();
  }
  if (t >= kWarp) return;  // no barrier of the block follows
  float mine = Op::combine(cache[t], cache[t + kWarp]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    mine = Op::combine(mine, __shfl_down_sync(kAllLanes, mine, distance));
  }
  if (t == 0) block_results[blockIdx.x] = mine;
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
