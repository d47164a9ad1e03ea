#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__host__ __device__ unsigned identity(int op) {
  switch (op) {
    case kAnd:
    case kMin: return 0xffffffffu;
    case kAll: return 1u;
    default: return 0u;
  }
}

__device__ unsigned combine(unsigned a, unsigned b, int op) {
  switch (op) {
    case kAnd: return a & b;
    case kOr: return a | b;
    case kXor: return a ^ b;
    case kMin: return a < b ? a : b;
    case kAll: return a & b;           // both
    case kAny: return a || b ? 1 : 0;  // one of them
    case kLast: return b ? b : a;
  }
  return 0;
}

__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n, int op) {
  __shared__ unsigned part[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  part[t] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {  // neighbours only: kLast needs the order
    const int left = 2 * d * t;
    if (left < kBlock) part[left] = combine(part[left], part[left + d], op);
    __syncthreads();
  }
  if (t == 0) results[blockIdx.x] = combine(identity(op), part[0], op);
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  if (n == 0) {
    const unsigned id = identity(op);
    cudaMemcpy(result, &id, sizeof id, cudaMemcpyHostToDevice);
    return;
  }
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    reduce_blocks<<<1, kBlock>>>(values, result, n, op);
    if (cudaGetLastError() != cudaSuccess) return;
    return;
  }
  unsigned* results = nullptr;
  if (cudaMalloc(&results, blocks * sizeof(unsigned)) != cudaSuccess) return;
  reduce_blocks<<<blocks, kBlock>>>(values, results, n, op);
  if (cudaGetLastError() == cudaSuccess) operators(results, result, blocks, op);
  cudaFree(results);
}
