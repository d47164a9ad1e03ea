#include "reduction.h"

#include <cfloat>
#include <cmath>
#include <cuda_runtime.h>

namespace ops {
struct Sum {
  static __device__ float init() { return 0.0f; }
  static __device__ float apply(float a, float b) { return a + b; }
};
struct Min {
  static __device__ float init() { return INFINITY; }
  static __device__ float apply(float a, float b) { return fminf(a, b); }
};
struct Max {
  static __device__ float init() { return FLT_MIN; }
  static __device__ float apply(float a, float b) { return fmaxf(a, b); }
};
struct Product {
  static __device__ float init() { return 1.0f; }
  static __device__ float apply(float a, float b) { return a * b; }
};
}  // namespace ops

template <class Op>
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  float acc = Op::init();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) acc = Op::apply(acc, in[i]);
  s[threadIdx.x] = acc;
  __syncthreads();
  for (int half = 128; half >= 1; half >>= 1) {
    if (threadIdx.x < half) s[threadIdx.x] = Op::apply(s[threadIdx.x], s[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <class Op>
static void run(const float* values, float* result, int n) {
  int blocks = (n + 255) / 256;
  if (blocks > 512) blocks = 512;
  if (blocks <= 1) {
    reduce<Op><<<1, 256>>>(values, result, n);
    return;
  }
  float* partial = nullptr;
  if (cudaMalloc(&partial, blocks * sizeof(float)) != cudaSuccess) return;
  reduce<Op><<<blocks, 256>>>(values, partial, n);
  reduce<Op><<<1, 256>>>(partial, result, blocks);
  cudaFree(partial);
}

void reduction(const float* values, float* result, int n, int op) {
  if (op == kSum) run<ops::Sum>(values, result, n);
  else if (op == kMin) run<ops::Min>(values, result, n);
  else if (op == kMax) run<ops::Max>(values, result, n);
  else run<ops::Product>(values, result, n);
  cudaGetLastError();
}
