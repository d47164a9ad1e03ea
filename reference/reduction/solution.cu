// The reference: one launch, 16-byte loads, four of them on their way in every thread, shuffles
// inside the warps, and the last block combines the results of all as they come in.
//
// A reduction loads every value once and does next to nothing with it, so the time is that of the
// memory, if enough bytes are on their way: a multiprocessor of a large card needs some 30 KB to
// hide the latency. The fixed costs count for small n: a second launch, an allocation or a memset
// would each cost more than reading a megabyte, and there is none of them.
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

namespace {

constexpr unsigned kBlock = 256;
constexpr unsigned kWarp = 32;
constexpr unsigned kWarps = kBlock / kWarp;
constexpr unsigned kAllLanes = 0xffffffff;
constexpr unsigned kInFlight = 4;  // 16-byte loads that a thread issues before it uses the first
constexpr unsigned kTile = kBlock * kInFlight;  // quads that a block takes at a time
constexpr unsigned kBlocksAMultiprocessor = 8;  // 2048 threads fill one
constexpr unsigned kMostBlocks = 2048;

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

template <class Op>
__device__ float combine4(float4 q) {
  return Op::combine(Op::combine(q.x, q.y), Op::combine(q.z, q.w));
}

// What the values of a warp's lanes combine to, for lane 0.
template <class Op>
__device__ float reduce_warp(float mine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    mine = Op::combine(mine, __shfl_down_sync(kAllLanes, mine, distance));
  }
  return mine;
}

// What the values of a whole block combine to, for thread 0. There is one barrier in it; between
// two calls there must be another.
template <class Op>
__device__ float reduce_block(float mine) {
  __shared__ float warp_results[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  mine = reduce_warp<Op>(mine);
  if (lane == 0) warp_results[warp] = mine;
  __syncthreads();
  if (warp != 0) return mine;
  return reduce_warp<Op>(lane < kWarps ? warp_results[lane] : Op::kIdentity);
}

// A block's result in the lower half of a word, and in the upper half the number of the launch that
// it belongs to: what earlier launches have left is never taken for a result. One reduction at a
// time may use them; calls on different streams would need scratch of their own.
__device__ unsigned long long block_results[kMostBlocks];

// For thread 0 of every block, which has its block's result: combines them all in the last block,
// which waits for the others. They wait for nobody, so it waits for no more than one store and one
// load; to count who has finished takes an atomic's way there and back, and fences around it.
// Result and launch come and go in one access of 8 bytes, so a reader sees both or neither.
template <class Op>
__device__ void finish(float total, float* result, unsigned launch) {
  volatile unsigned long long* const words = block_results;  // volatile: never from the L1
  if (threadIdx.x == 0) {
    words[blockIdx.x] = static_cast<unsigned long long>(launch) << 32 | __float_as_uint(total);
  }
  if (blockIdx.x != gridDim.x - 1) return;
  float mine = Op::kIdentity;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kBlock) {
    unsigned long long word;
    do {
      word = words[b];
    } while (word >> 32 != launch);
    mine = Op::combine(mine, __uint_as_float(static_cast<unsigned>(word)));
  }
  __syncthreads();  // the block has reduced before: all have read what lies in shared memory
  mine = reduce_block<Op>(mine);
  if (threadIdx.x == 0) *result = mine;
}

// `head` values lie in front of the first multiple of 16 bytes; then come quads, in tiles of a
// block's size that the blocks take in turn, then quads that fill no tile, then up to 3 values.
template <class Op>
__global__ void __launch_bounds__(kBlock)
    reduce_all(const float* __restrict__ values, float* result, unsigned n, unsigned head,
               unsigned launch) {
  const unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  const float4* quads = reinterpret_cast<const float4*>(values + head);
  const unsigned quad_count = (n - head) / 4;
  const unsigned tile_count = quad_count / kTile;
  const unsigned tail = head + 4 * quad_count;

  float mine = Op::kIdentity;
  for (unsigned tile = blockIdx.x; tile < tile_count; tile += gridDim.x) {
    float4 loaded[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      loaded[k] = quads[tile * kTile + k * kBlock + threadIdx.x];
    }
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) mine = Op::combine(mine, combine4<Op>(loaded[k]));
  }
  for (unsigned q = tile_count * kTile + thread; q < quad_count; q += gridDim.x * kBlock) {
    mine = Op::combine(mine, combine4<Op>(quads[q]));
  }
  if (thread < head) mine = Op::combine(mine, values[thread]);
  if (thread < n - tail) mine = Op::combine(mine, values[tail + thread]);
  finish<Op>(reduce_block<Op>(mine), result, launch);
}

unsigned multiprocessors() {
  static const unsigned count = [] {
    int device = 0;
    int found = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device));
    return static_cast<unsigned>(found);
  }();
  return count;
}

unsigned launches = 0;  // so far; 0 is none

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  const unsigned past = reinterpret_cast<std::uintptr_t>(values) / sizeof(float) % 4;
  const unsigned head = std::min(n, (4 - past) % 4);
  const unsigned most = std::min(kMostBlocks, multiprocessors() * kBlocksAMultiprocessor);
  const unsigned enough = std::max(1u, n / 4 / kTile);
  reduce_all<Op><<<std::min(most, enough), kBlock>>>(values, result, n, head, ++launches);
  CHECK(cudaGetLastError());
}

}  // namespace

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
