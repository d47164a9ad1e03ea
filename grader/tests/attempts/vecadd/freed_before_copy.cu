#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *a_d, *b_d, *c_d;
  cudaMalloc(&a_d, n * sizeof(float));
  cudaMalloc(&b_d, n * sizeof(float));
  cudaMalloc(&c_d, n * sizeof(float));
  cudaMemcpy(a_d, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b_d, b, n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(a_d, b_d, c_d, n);
  cudaFree(a_d);
  cudaFree(b_d);
  cudaFree(c_d);
  cudaMemcpy(c, c_d, n * sizeof(float), cudaMemcpyDeviceToHost);
}
