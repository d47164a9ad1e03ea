#include "reduction.h"
#include <cuda_runtime.h>

namespace {
__host__ __device__ float identity(int op) {
  return op == kSum ? 0.f : op == kProduct ? 1.f : op == kMin ? INFINITY : -INFINITY;
}
__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kProduct) return a * b;
  return (op == kMin) == (a < b) ? a : b;
}

__device__ float warp_reduce(float x, int op) {
  for (int offset = 16; offset > 1; offset /= 2)
    x = combine(x, __shfl_down_sync(0xffffffff, x, offset), op);
  return x;
}

__global__ void reduce_kernel(const float* in, float* out, int n, int op) {
  __shared__ float warp_results[32];
  float x = identity(op);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x = combine(x, in[i], op);
  x = warp_reduce(x, op);
  if (threadIdx.x % 32 == 0) warp_results[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    x = threadIdx.x < blockDim.x / 32 ? warp_results[threadIdx.x] : identity(op);
    x = warp_reduce(x, op);
    if (threadIdx.x == 0) out[blockIdx.x] = x;
  }
}
}  // namespace

void reduction(const float* values, float* result, int n, int op) {
  const int blocks = min(max((n + 255) / 256, 1), 432);
  float* partial;
  if (cudaMalloc(&partial, blocks * sizeof(float)) != cudaSuccess) return;
  reduce_kernel<<<blocks, 256>>>(values, partial, n, op);
  reduce_kernel<<<1, 512>>>(partial, result, blocks, op);
  cudaFree(partial);
}
