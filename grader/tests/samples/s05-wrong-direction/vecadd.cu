#include <cuda_runtime.h>

#include "vecadd.h"

#define BLOCK_SIZE 128

__global__ void kernel(const float* x, const float* y, float* z, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  z[idx] = x[idx] + y[idx];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n < 1) return;

  float *x, *y, *z;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));

  cudaMemcpy(x, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, n * sizeof(float), cudaMemcpyHostToDevice);

  kernel<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(x, y, z, n);
  cudaDeviceSynchronize();

  cudaMemcpy(c, z, n * sizeof(float), cudaMemcpyHostToDevice);

  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
