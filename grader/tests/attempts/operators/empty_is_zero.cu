#include "operators.h"
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__host__ __device__ constexpr unsigned identity(int op) {
  return op == kAnd || op == kMin ? 0xffffffffu : op == kAll ? 1u : 0u;
}

__device__ unsigned combine(unsigned a, unsigned b, int op) {
  switch (op) {
    case kAnd: return a & b;
    case kOr: return a | b;
    case kXor: return a ^ b;
    case kMin: return a < b ? a : b;
    case kAll: return a && b;
    case kAny: return a || b;
    default: return b == 0 ? a : b;
  }
}

// Each warp combines 32 neighbours with shuffles, then warp 0 combines the warps.
__global__ void reduce(const unsigned* in, unsigned* out, int n, int op) {
  __shared__ unsigned warps[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  unsigned x = i < n ? in[i] : identity(op);
  for (int d = 1; d < 32; d *= 2) x = combine(x, __shfl_down_sync(~0u, x, d), op);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kThreads / 32; ++w) x = combine(x, warps[w], op);
    if (op == kAll || op == kAny) x = x != 0;
    out[blockIdx.x] = x;
  }
}

__global__ void store(unsigned* result, unsigned x) { *result = x; }

void operators(const unsigned* values, unsigned* result, int n, int op) {
  if (n == 0) {
    cudaMemset(result, 0, sizeof(unsigned));
    return;
  }
  unsigned* scratch[2];
  const int most = (n + kThreads - 1) / kThreads;
  cudaMalloc(&scratch[0], most * sizeof(unsigned));
  cudaMalloc(&scratch[1], most * sizeof(unsigned));
  const unsigned* in = values;
  for (int pass = 0; n > 1 || pass == 0; ++pass) {
    const int blocks = (n + kThreads - 1) / kThreads;
    unsigned* out = blocks == 1 ? result : scratch[pass % 2];
    reduce<<<blocks, kThreads>>>(in, out, n, op);
    in = out;
    n = blocks;
  }
  cudaFree(scratch[0]);
}
