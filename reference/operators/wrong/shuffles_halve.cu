// verdict: fails-correctness
// pitfall: P53
// caught-by: case "the last one"
// Lanes 16 apart combine first, as for a sum.
#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

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
  for (int d = lanes / 2; d > 0; d /= 2) {
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

template <class Op>
__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const unsigned all = combine_block<Op>(i < n ? Op::of(values[i]) : Op::kIdentity);
  if (threadIdx.x == 0) results[blockIdx.x] = all;
}

template <class Op>
void reduce(const unsigned* values, unsigned* result, int n) {
  const int blocks = n / kBlock + (n % kBlock != 0);
  if (blocks <= 1) {
    reduce_blocks<Op><<<1, kBlock>>>(values, result, n);
    return;
  }
  unsigned* results = nullptr;
  cudaMalloc(&results, blocks * sizeof(unsigned));
  reduce_blocks<Op><<<blocks, kBlock>>>(values, results, n);
  reduce<Op>(results, result, blocks);  // the blocks' results are values again
  cudaFree(results);
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
