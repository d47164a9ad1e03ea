// Rung 4: the tree in shared memory, with doubling stride.
//
// Each value is loaded once, coalesced, and the tree is built in shared memory: N loads and one
// store per block instead of three global accesses per combination, and the input stays as it is,
// so no copy is needed. Threads beyond n bring the identity, and the tree needs no guards. Which
// threads work is still decided by t % (2 * stride): spread over all warps, which all diverge, and
// a modulo in every step.
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

// block_results[b] becomes what the values of block b combine to.
template <class Op>
__global__ void reduce_blocks(const float* values, float* block_results, unsigned n) {
  __shared__ float cache[kBlock];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kBlock + t;
  cache[t] = i < n ? values[i] : Op::kIdentity;
  __syncthreads();
  for (unsigned stride = 1; stride < kBlock; stride *= 2) {
    if (t % (2 * stride) == 0) cache[t] = Op::combine(cache[t], cache[t + stride]);
    __syncthreads();
  }
  if (t == 0) block_results[blockIdx.x] = cache[0];
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

// Block by block, then the blocks' results in the same way, until a single block is enough.
template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  unsigned blocks = std::max(1u, ceil_div(n, kBlock));  // n = 0: one block of identities
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
    blocks = ceil_div(count, kBlock);
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
