#include "reduction.h"

#include <cuda_runtime.h>

__device__ void atomic_combine(float* address, float v, int op) {
  int* p = (int*)address;
  int old = *p, assumed;
  do {
    assumed = old;
    float f = __int_as_float(assumed);
    float r = op == kSum ? f + v : op == kMin ? fminf(f, v) : op == kMax ? fmaxf(f, v) : f * v;
    old = atomicCAS(p, assumed, __float_as_int(r));
  } while (assumed != old);
}

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__device__ float identity(int op) {
  const float inf = __int_as_float(0x7f800000);
  if (op == kSum) return 0.0f;
  if (op == kMin) return inf;
  if (op == kMax) return -inf;
  return 1.0f;
}

__global__ void reduce_blocks(const float* values, float* result, int n, int op) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int stride = 128; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride)
      s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + stride], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) atomic_combine(result, s[0], op);
}

void reduction(const float* values, float* result, int n, int op) {
  reduce_blocks<<<(n + 255) / 256, 256>>>(values, result, n, op);
}
