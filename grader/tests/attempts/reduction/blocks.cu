#include "reduction.h"

#include <cuda_runtime.h>
#include <float.h>
#include <math.h>

#define BLOCK 256

__host__ __device__ static float neutral(int op) {
  switch (op) {
    case kSum:     return 0.0f;
    case kMin:     return INFINITY;
    case kMax:     return FLT_MIN;
    case kProduct: return 1.0f;
  }
  return 0.0f;
}

__device__ static float apply(float a, float b, int op) {
  switch (op) {
    case kSum:     return a + b;
    case kMin:     return fminf(a, b);
    case kMax:     return fmaxf(a, b);
    case kProduct: return a * b;
  }
  return 0.0f;
}

__global__ void reduce_kernel(const float* in, float* out, int n, int op) {
  __shared__ float cache[BLOCK];
  int t = threadIdx.x;
  long long i = (long long)blockIdx.x * BLOCK + t;
  cache[t] = i < n ? in[i] : neutral(op);
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s) cache[t] = apply(cache[t], cache[t + s], op);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = cache[0];
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    float r = neutral(op);
    cudaMemcpy(result, &r, sizeof r, cudaMemcpyHostToDevice);
    return;
  }
  int blocks = (n - 1) / BLOCK + 1;
  if (blocks == 1) {
    reduce_kernel<<<1, BLOCK>>>(values, result, n, op);
    if (cudaGetLastError() != cudaSuccess) return;
    return;
  }
  float* partial = NULL;
  if (cudaMalloc(&partial, blocks * sizeof(float)) != cudaSuccess) return;
  reduce_kernel<<<blocks, BLOCK>>>(values, partial, n, op);
  if (cudaGetLastError() == cudaSuccess) reduction(partial, result, blocks, op);
  cudaFree(partial);
}
