#include "operators.h"

#include <cuda_runtime.h>

// Each operator is a type: its identity, what a value counts as, and the operation.
struct Base {
  __device__ static unsigned of(unsigned x) { return x; }
};
struct And : Base {
  static constexpr unsigned kIdentity = 0xffffffffu;
  __device__ static unsigned join(unsigned a, unsigned b) { return a & b; }
};
struct Or : Base {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned join(unsigned a, unsigned b) { return a | b; }
};
struct Xor : Base {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned join(unsigned a, unsigned b) { return a ^ b; }
};
struct Min : Base {
  static constexpr unsigned kIdentity = 0x7fffffff;  // nothing is larger
  __device__ static unsigned join(unsigned a, unsigned b) {
    return min(static_cast<int>(a), static_cast<int>(b));
  }
};
struct All {
  static constexpr unsigned kIdentity = 1;
  __device__ static unsigned of(unsigned x) { return x != 0; }
  __device__ static unsigned join(unsigned a, unsigned b) { return a && b; }
};
struct Any {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned of(unsigned x) { return x != 0; }
  __device__ static unsigned join(unsigned a, unsigned b) { return a || b; }
};
struct Last : Base {
  static constexpr unsigned kIdentity = 0;
  __device__ static unsigned join(unsigned a, unsigned b) { return b == 0 ? a : b; }
};

constexpr int kThreads = 256;

template <class Op>
__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n) {
  __shared__ unsigned of_warp[kThreads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = blockIdx.x * kThreads + threadIdx.x;

  unsigned x = i < n ? Op::of(values[i]) : Op::kIdentity;
  // Lane l takes in the lanes to its right, 1, 2, 4, ... further: the order is kept.
  for (int d = 1; d < 32; d *= 2) x = Op::join(x, __shfl_down_sync(0xffffffffu, x, d));
  if (lane == 0) of_warp[warp] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = of_warp[0];
    for (int w = 1; w < kThreads / 32; ++w) all = Op::join(all, of_warp[w]);
    results[blockIdx.x] = all;
  }
}

template <class Op>
void reduce(const unsigned* values, unsigned* result, int n) {
  if (n == 0) {
    const unsigned identity = Op::kIdentity;
    cudaMemcpy(result, &identity, sizeof(unsigned), cudaMemcpyHostToDevice);
    return;
  }
  const int blocks = (n + kThreads - 1) / kThreads;
  unsigned* target = result;
  if (blocks > 1 && cudaMalloc(&target, blocks * sizeof(unsigned)) != cudaSuccess) return;
  reduce_blocks<Op><<<blocks, kThreads>>>(values, target, n);
  if (cudaGetLastError() == cudaSuccess && blocks > 1) reduce<Op>(target, result, blocks);
  if (blocks > 1) cudaFree(target);
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  switch (op) {
    case kAnd: reduce<And>(values, result, n); break;
    case kOr: reduce<Or>(values, result, n); break;
    case kXor: reduce<Xor>(values, result, n); break;
    case kMin: reduce<Min>(values, result, n); break;
    case kAll: reduce<All>(values, result, n); break;
    case kAny: reduce<Any>(values, result, n); break;
    case kLast: reduce<Last>(values, result, n); break;
  }
}
