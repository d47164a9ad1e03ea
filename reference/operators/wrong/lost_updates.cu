// verdict: fails-safety
// pitfall: P30
// caught-by: finding race-global
// Every block combines its part with *result, without an atomic.
#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ unsigned identity(int op) {
  if (op == kAnd || op == kMin) return 0xffffffffu;
  return op == kAll ? 1 : 0;
}

__device__ unsigned of(unsigned x, int op) {
  return op == kAll || op == kAny ? x != 0 : x;
}

__device__ unsigned combine(unsigned a, unsigned b, int op) {
  switch (op) {
    case kOr:
    case kAny:
      return a | b;
    case kXor:
      return a ^ b;
    case kMin:
      return min(a, b);
    case kLast:
      return b != 0 ? b : a;
    default:
      return a & b;
  }
}

__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n, int op) {
  __shared__ unsigned part[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  part[t] = i < n ? of(values[i], op) : identity(op);
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    const int left = 2 * d * t;
    if (left < kBlock) part[left] = combine(part[left], part[left + d], op);
    __syncthreads();
  }
  if (t == 0) *results = combine(*results, part[0], op);
}

__global__ void begin(unsigned* result, int op) {
  *result = identity(op);
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  begin<<<1, 1>>>(result, op);
  if (n > 0) reduce_blocks<<<(n - 1) / kBlock + 1, kBlock>>>(values, result, n, op);
}
