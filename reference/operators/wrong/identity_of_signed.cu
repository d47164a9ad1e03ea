// verdict: fails-correctness
// pitfall: P52
// caught-by: case "one element"
// The largest int is taken for the largest value.
#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ unsigned identity(int op) {
  if (op == kAnd || op == kMin) return 0x7fffffffu;
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
  if (t == 0) results[blockIdx.x] = part[0];
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  const int blocks = n / kBlock + (n % kBlock != 0);
  if (blocks <= 1) {
    reduce_blocks<<<1, kBlock>>>(values, result, n, op);
    return;
  }
  unsigned* results = nullptr;
  cudaMalloc(&results, blocks * sizeof(unsigned));
  reduce_blocks<<<blocks, kBlock>>>(values, results, n, op);
  operators(results, result, blocks, op);  // the blocks' results are values again
  cudaFree(results);
}
