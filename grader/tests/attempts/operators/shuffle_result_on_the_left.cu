#include "operators.h"

#include <cuda_runtime.h>

namespace {

constexpr int kBlock = 256;

template <int kOp>
struct Operator {
  static constexpr unsigned kIdentity = kOp == kAnd || kOp == kMin ? 0xffffffffu : kOp == kAll ? 1u : 0u;
  __device__ static unsigned of(unsigned x) {
    if constexpr (kOp == kAll || kOp == kAny) return x != 0;
    return x;
  }
  __device__ static unsigned combine(unsigned a, unsigned b) {
    if constexpr (kOp == kAnd || kOp == kAll) return a & b;
    if constexpr (kOp == kOr || kOp == kAny) return a | b;
    if constexpr (kOp == kXor) return a ^ b;
    if constexpr (kOp == kMin) return a < b ? a : b;
    return b != 0 ? b : a;
  }
};

template <class Op>
__device__ unsigned reduce_warp(unsigned x) {
  for (int d = 1; d < 32; d *= 2) x = Op::combine(__shfl_down_sync(0xffffffffu, x, d), x);
  return x;
}

template <class Op, bool kFirst>
__global__ void reduce(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned warps[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  unsigned x = Op::kIdentity;
  if (i < n) x = kFirst ? Op::of(in[i]) : in[i];
  x = reduce_warp<Op>(x);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kBlock / 32; ++w) x = Op::combine(x, warps[w]);
    out[blockIdx.x] = x;
  }
}

template <class Op>
void run(const unsigned* values, unsigned* result, int n) {
  int blocks = n == 0 ? 1 : (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    reduce<Op, true><<<1, kBlock>>>(values, result, n);
    return;
  }
  unsigned* levels = nullptr;  // room for all levels, one after the other
  if (cudaMalloc(&levels, 2 * blocks * sizeof(unsigned)) != cudaSuccess) return;
  reduce<Op, true><<<blocks, kBlock>>>(values, levels, n);
  unsigned* in = levels;
  while (blocks > 1) {
    const int next = (blocks + kBlock - 1) / kBlock;
    unsigned* out = next == 1 ? result : in + blocks;
    reduce<Op, false><<<next, kBlock>>>(in, out, blocks);
    in = out;
    blocks = next;
  }
  cudaFree(levels);
}

}  // namespace

void operators(const unsigned* values, unsigned* result, int n, int op) {
  switch (op) {
    case kAnd: run<Operator<kAnd>>(values, result, n); break;
    case kOr: run<Operator<kOr>>(values, result, n); break;
    case kXor: run<Operator<kXor>>(values, result, n); break;
    case kMin: run<Operator<kMin>>(values, result, n); break;
    case kAll: run<Operator<kAll>>(values, result, n); break;
    case kAny: run<Operator<kAny>>(values, result, n); break;
    default: run<Operator<kLast>>(values, result, n); break;
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
