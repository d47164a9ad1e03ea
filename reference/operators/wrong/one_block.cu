// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// Right, but one block combines all values.
#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kBlock * kPerThread;

// An operator: its identity, what a value counts as, and how a part on the left and one on the
// right combine.
struct And {
  static constexpr unsigned kIdentity = 0xffffffffu;
  __device__ static unsigned of(unsigned x) { return x; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a & b; }
};
struct Or {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned of(unsigned x) { return x; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a | b; }
};
struct Xor {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned of(unsigned x) { return x; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a ^ b; }
};
struct Min {
  static constexpr unsigned kIdentity = 0xffffffffu;
  __device__ static unsigned of(unsigned x) { return x; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return min(a, b); }
};
struct All {
  static constexpr unsigned kIdentity = 1;
  __device__ static unsigned of(unsigned x) { return x != 0; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a & b; }
};
struct Any {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned of(unsigned x) { return x != 0; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a | b; }
};
struct Last {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned of(unsigned x) { return x; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return b != 0 ? b : a; }
};

// Lane 0 gets what all lanes combine to. A step adds the neighbouring part on the right, so the
// left part stays on the left.
template <class Op>
__device__ unsigned combine_warp(unsigned own, int lanes) {
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  for (int d = 1; d < lanes; d *= 2) {
    own = Op::combine(own, __shfl_down_sync(mask, own, d));
  }
  return own;
}

// Thread 0 gets what all threads of the block combine to.
template <class Op>
__device__ unsigned combine_block(unsigned own) {
  __shared__ unsigned warps[kBlock / 32];
  own = combine_warp<Op>(own, 32);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= kBlock / 32) return 0;
  return combine_warp<Op>(warps[threadIdx.x], kBlock / 32);
}

// Where a value of the tile is in shared memory: one element is left out after each 32, so that
// lanes that read eight apart use different banks.
__device__ int place(int i) {
  return i + i / 32;
}

template <class Op>
__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n) {
  __shared__ unsigned tile[kTile + kTile / 32];
  unsigned all = Op::kIdentity;
  for (int first = 0; first < n || first == 0; first += kTile) {
    for (int i = threadIdx.x; i < kTile; i += kBlock) {
      tile[place(i)] = i < n - first ? Op::of(values[first + i]) : Op::kIdentity;
    }
    __syncthreads();
    // and each combines adjacent ones.
    unsigned own = tile[place(threadIdx.x * kPerThread)];
    for (int k = 1; k < kPerThread; ++k) {
      own = Op::combine(own, tile[place(threadIdx.x * kPerThread + k)]);
    }
    all = Op::combine(all, combine_block<Op>(own));
    __syncthreads();
  }
  if (threadIdx.x == 0) *results = all;
}

template <class Op>
void reduce(const unsigned* values, unsigned* result, int n) {
  reduce_blocks<Op><<<1, kBlock>>>(values, result, n);
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  switch (op) {
    case kAnd:
      return reduce<And>(values, result, n);
    case kOr:
      return reduce<Or>(values, result, n);
    case kXor:
      return reduce<Xor>(values, result, n);
    case kMin:
      return reduce<Min>(values, result, n);
    case kAll:
      return reduce<All>(values, result, n);
    case kAny:
      return reduce<Any>(values, result, n);
    case kLast:
      return reduce<Last>(values, result, n);
  }
}
