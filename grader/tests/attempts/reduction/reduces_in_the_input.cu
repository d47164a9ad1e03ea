#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__global__ void set(float* result, int op) {
  const float start[4] = {0.0f, CUDART_INF_F, -CUDART_INF_F, 1.0f};
  *result = start[op];
}

// combines values[i] with values[i + half]
__global__ void step(float* values, int n, int half, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + half < n) values[i] = combine(values[i], values[i + half], op);
}

__global__ void take(const float* values, float* result) { *result = values[0]; }

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    set<<<1, 1>>>(result, op);
    return;
  }
  float* v = const_cast<float*>(values);
  while (n > 1) {
    int half = (n + 1) / 2;
    step<<<(half + 255) / 256, 256>>>(v, n, half, op);
    n = half;
  }
  take<<<1, 1>>>(v, result);
}
