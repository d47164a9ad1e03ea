#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // grid-stride loop, so that any grid size works
  for (; i < n; i += blockDim.x) {
    c[i] = a[i] + b[i];
  }
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *d_a, *d_b, *d_c;
  size_t bytes = n * sizeof(float);
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<16, 256>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
