#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ unsigned identity(int op) {
  if (op == kAnd || op == kMin) return 0xffffffff;
  if (op == kAll) return 1;
  return 0;
}

__device__ unsigned of(unsigned x, int op) {
  if (op == kAll || op == kAny) return x != 0;
  return x;
}

// a is on the left, b on the right
__device__ unsigned combine(unsigned a, unsigned b, int op) {
  switch (op) {
    case kAnd: return a & b;
    case kOr: return a | b;
    case kXor: return a ^ b;
    case kMin: return a < b ? a : b;
    case kAll: return a && b;
    case kAny: return a || b;
    case kLast: return a != 0 ? a : b;
  }
  return a;
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
  unsigned* buffers[8];
  int used = 0;
  int blocks = (n + kBlock - 1) / kBlock;
  while (blocks > 1) {
    cudaMalloc(&buffers[used], blocks * sizeof(unsigned));
    reduce_blocks<<<blocks, kBlock>>>(values, buffers[used], n, op);
    if (cudaGetLastError() != cudaSuccess) return;
    values = buffers[used++];
    n = blocks;
    blocks = (n + kBlock - 1) / kBlock;
  }
  reduce_blocks<<<1, kBlock>>>(values, result, n, op);
  if (cudaGetLastError() != cudaSuccess) return;
  for (int i = 0; i < used; ++i) cudaFree(buffers[i]);
}
