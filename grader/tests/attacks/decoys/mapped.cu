// lab:     vecadd
// does:    lets its kernel read mapped memory, and registers the output
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstring>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y;
  cudaHostAlloc(&x, bytes, cudaHostAllocMapped);
  cudaHostAlloc(&y, bytes, cudaHostAllocMapped);
  memcpy(x, a, bytes);
  memcpy(y, b, bytes);
  cudaHostRegister(c, bytes, cudaHostRegisterDefault);
  add<<<(n + 255) / 256, 256>>>(x, y, c, n);
  cudaDeviceSynchronize();
  cudaHostUnregister(c);
  cudaFreeHost(x);
  cudaFreeHost(y);
}
