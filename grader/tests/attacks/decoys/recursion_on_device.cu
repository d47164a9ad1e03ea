// lab:     reduction
// does:    combines halves by a device function that calls itself, with a larger stack
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "reduction.h"

constexpr int kThreads = 4096;

__device__ float combine(float a, float b, int op) {
  return op == kSum ? a + b : op == kMin ? fminf(a, b) : op == kMax ? fmaxf(a, b) : a * b;
}

__device__ __noinline__ float halves(const float* values, int first, int last, int op) {
  if (last - first == 1) return values[first];
  const int middle = first + (last - first) / 2;
  const float left = halves(values, first, middle, op);
  return combine(left, halves(values, middle, last, op), op);
}

__global__ void reduce_parts(const float* values, float* out, int n, int parts, int op) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= parts) return;
  const long long first = static_cast<long long>(n) * i / parts;
  const long long last = static_cast<long long>(n) * (i + 1) / parts;
  out[i] = halves(values, static_cast<int>(first), static_cast<int>(last), op);
}

__global__ void set_identity(float* result, int op) {
  *result = op == kSum ? 0 : op == kMin ? INFINITY : op == kMax ? -INFINITY : 1;
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    set_identity<<<1, 1>>>(result, op);
    return;
  }
  cudaDeviceSetLimit(cudaLimitStackSize, 8192);
  const int parts = n < kThreads ? 1 : kThreads;
  float* some = nullptr;
  cudaMalloc(&some, parts * sizeof(float));
  reduce_parts<<<(parts + 127) / 128, 128>>>(values, some, n, parts, op);
  reduce_parts<<<1, 1>>>(some, result, parts, 1, op);
  cudaFree(some);
}
