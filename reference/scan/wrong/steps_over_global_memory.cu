// verdict: fails-concept
// pitfall: P75
// caught-by: concept writes
// Kogge-Stone over the whole array: log2(n) launches, each of which reads and writes everything.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256

__global__ void step(const float* x, float* y, int d, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = i >= d ? x[i] + x[i - d] : x[i];
}

__global__ void shift(const float* x, float* y, int by, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = i >= by ? x[i - by] : 0.0f;
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  float *from, *to;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemcpy(from, values, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int d = 1; d < n; d *= 2) {
    step<<<blocks, BLOCK>>>(from, to, d, n);
    float* swap = from;
    from = to;
    to = swap;
  }
  shift<<<blocks, BLOCK>>>(from, sums, exclusive, n);
  cudaFree(from);
  cudaFree(to);
}
