// verdict: fails-safety
// pitfall: P45
// caught-by: finding unwritten-global-read
// Only n bytes are copied into the scratch, a quarter of the values.
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

__global__ void combine_halves(float* data, int half, int count, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + half < count) data[i] = combine(data[i], data[i + half], op);
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
  cudaMemcpy(data, values, n, cudaMemcpyDeviceToDevice);
  for (int count = n; count > 1; count = (count + 1) / 2) {
    int half = (count + 1) / 2;
    combine_halves<<<(half + kBlock - 1) / kBlock, kBlock>>>(data, half, count, op);
  }
  cudaMemcpy(result, data, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(data);
}
