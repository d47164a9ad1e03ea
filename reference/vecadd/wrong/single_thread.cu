// verdict: fails-concept
// pitfall: P71
// caught-by: concept loads-once
// One thread walks over the whole array.
#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

  add<<<1, 1>>>(d_a, d_b, d_c, n);

  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
