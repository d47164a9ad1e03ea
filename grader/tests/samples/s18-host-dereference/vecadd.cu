#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, n * sizeof(float));
  cudaMalloc(&d_b, n * sizeof(float));
  cudaMalloc(&d_c, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    d_a[i] = a[i];
    d_b[i] = b[i];
  }
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    c[i] = d_c[i];
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
