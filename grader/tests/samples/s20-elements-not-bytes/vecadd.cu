#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, n);
  cudaMalloc(&d_b, n);
  cudaMalloc(&d_c, n);
  cudaMemcpy(d_a, a, n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, n, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, n, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
