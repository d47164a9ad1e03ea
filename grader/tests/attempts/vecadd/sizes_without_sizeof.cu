#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, n);
  cudaMalloc(&d_b, n);
  cudaMalloc(&d_c, n);
  cudaMemcpy(d_a, a, n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, n, cudaMemcpyHostToDevice);
  int blockSize = 256;
  int gridSize = (n + blockSize - 1) / blockSize;
  add<<<gridSize, blockSize>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, n, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
