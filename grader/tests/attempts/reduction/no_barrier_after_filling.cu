#include "reduction.h"

#include <cuda_runtime.h>

__device__ float both(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__device__ float neutral(int op) {
  return op == kSum ? 0.0f : op == kProduct ? 1.0f : op == kMin ? INFINITY : -INFINITY;
}

__global__ void block_reduce(const float* values, float* out, int n, int op) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? values[i] : neutral(op);
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] = both(s[t], s[t + d], op);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = n == 0 ? 1 : (n + 255) / 256;
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  block_reduce<<<blocks, 256>>>(values, partial, n, op);
  if (blocks == 1) {
    cudaMemcpy(result, partial, sizeof(float), cudaMemcpyDeviceToDevice);
  } else {
    reduction(partial, result, blocks, op);
  }
  cudaFree(partial);
}
