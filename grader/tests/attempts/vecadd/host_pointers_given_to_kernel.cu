#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *dA, *dB, *dC;
  cudaMalloc(&dA, n * sizeof(float));
  cudaMalloc(&dB, n * sizeof(float));
  cudaMalloc(&dC, n * sizeof(float));
  cudaMemcpy(dA, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, b, n * sizeof(float), cudaMemcpyHostToDevice);
  // launch
  int blocks = (n - 1) / 256 + 1;
  add<<<blocks, 256>>>(a, b, c, n);
  cudaMemcpy(c, dC, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
}
