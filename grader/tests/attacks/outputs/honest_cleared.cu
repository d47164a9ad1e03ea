// lab:     vecadd
// root:    A
// tries:   fills the output with zeros first, and copies the results twice
// holds:   all of its cases pass
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  std::fill(c, c + n, 0.0f);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
