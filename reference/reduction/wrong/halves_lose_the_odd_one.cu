// verdict: fails-correctness
// pitfall: P14
// caught-by: case "tail"
// Each launch halves the count; of an odd count the last value is lost.
#include "reduction.h"

#include <cuda_runtime.h>
#include <math.h>

constexpr int kBlock = 256;

__device__ float identity(int op) {
  if (op == kMin) return INFINITY;
  if (op == kMax) return -INFINITY;
  return op == kProduct ? 1.0f : 0.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return op == kProduct ? a * b : a + b;
}

__global__ void combine_halves(float* data, int half, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] = combine(data[i], data[i + half], op);
}
__global__ void set_to_identity(float* result, int op) {
  *result = identity(op);
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    set_to_identity<<<1, 1>>>(result, op);
    return;
  }
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  cudaMemcpy(data, values, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int half = n / 2; half > 0; half /= 2) {
    combine_halves<<<(half + kBlock - 1) / kBlock, kBlock>>>(data, half, op);
  }
  cudaMemcpy(result, data, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(data);
}
