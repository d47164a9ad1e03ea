// Rung 15: 16 bytes a load.
//
// A float4 load moves four values with one instruction: a quarter of the loads and of the loop's
// arithmetic, and four times as many bytes on their way for each warp. It needs an address that is
// a multiple of 16, and the contract promises 4: up to three values in front and three at the end
// are taken one by one, by the first threads of the grid.
#include "reduction.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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
constexpr int kQuadsAThread = 4;  // at least, if there are enough
constexpr int kBlocksAMultiprocessor = 8;  // 2048 threads fill one
constexpr unsigned kMostBlocks = 2048;
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
// warp the warps' results. May be called again behind a barrier.
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

// Each block's result, and how many blocks have stored theirs: 0 between launches. One reduction at
// a time may use them; calls on different streams would need scratch of their own.
__device__ float block_results[kMostBlocks];
__device__ unsigned finished_blocks;

// For thread 0 of every block, which has its block's result: combines them all in the last block.
template <class Op>
__device__ void finish(float total, float* result) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    block_results[blockIdx.x] = total;
    // The fence comes between the result and the count: who sees the count sees the result, too.
    __threadfence();
    // Counts up to gridDim.x - 1 and then starts at 0 again, ready for the next launch.
    is_last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
    // And between the count and the others' results, which the whole block reads below.
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  float mine = Op::kIdentity;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kBlock) {
    mine = Op::combine(mine, block_results[b]);
  }
  mine = reduce_block<Op>(mine);
  if (threadIdx.x == 0) *result = mine;
}

template <class Op>
__device__ float combine4(float4 q) {
  return Op::combine(Op::combine(q.x, q.y), Op::combine(q.z, q.w));
}

// `head` values lie in front of the first multiple of 16 bytes.
template <class Op>
__global__ void reduce_all(const float* values, float* result, unsigned n, unsigned head) {
  const unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  const float4* quads = reinterpret_cast<const float4*>(values + head);
  const unsigned quad_count = (n - head) / 4;
  const unsigned tail = head + 4 * quad_count;

  float mine = Op::kIdentity;
  for (unsigned q = thread; q < quad_count; q += gridDim.x * kBlock) {
    mine = Op::combine(mine, combine4<Op>(quads[q]));
  }
  if (thread < head) mine = Op::combine(mine, values[thread]);
  if (thread < n - tail) mine = Op::combine(mine, values[tail + thread]);
  finish<Op>(reduce_block<Op>(mine), result);
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  const unsigned past = reinterpret_cast<std::uintptr_t>(values) / sizeof(float) % 4;
  const unsigned head = std::min(n, (4 - past) % 4);
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const unsigned most = std::min<unsigned>(kMostBlocks, multiprocessors * kBlocksAMultiprocessor);
  const unsigned enough = std::max(1u, ceil_div(n, 4 * kBlock * kQuadsAThread));
  reduce_all<Op><<<std::min(most, enough), kBlock>>>(values, result, n, head);
  CHECK(cudaGetLastError());
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
