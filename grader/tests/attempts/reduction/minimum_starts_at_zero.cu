#include "reduction.h"

#include <cuda_runtime.h>

__device__ float apply(float a, float b, int op) {
  switch (op) {
    case kSum: return a + b;
    case kMin: return a < b ? a : b;
    case kMax: return a > b ? a : b;
    default: return a * b;
  }
}

__global__ void step(const float* in, float* out, int n, int op) {
  __shared__ float tree[512];
  int t = threadIdx.x;
  float acc = op == kProduct ? 1.0f : 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    acc = apply(acc, in[i], op);
  }
  tree[t] = acc;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) tree[t] = apply(tree[t], tree[t + half], op);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tree[0];
}

void reduction(const float* values, float* result, int n, int op) {
  float* partial;
  cudaMalloc(&partial, 216 * sizeof(float));
  step<<<216, 512>>>(values, partial, n, op);
  step<<<1, 512>>>(partial, result, 216, op);
  cudaFree(partial);
}
