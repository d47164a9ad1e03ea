#include "vecadd.h"

#include <cuda_runtime.h>

#define N_THREADS 256

__global__ void vector_add(const float* x, const float* y, float* z, int len) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < len) z[id] = x[id] + y[id];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (!n) return;
  float *x, *y, *z;
  const size_t size = sizeof(float) * n;
  cudaMalloc(&x, size);
  cudaMalloc(&y, size);
  cudaMalloc(&z, size);
  cudaMemcpy(x, a, size, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, size, cudaMemcpyHostToDevice);
  int n_blocks = (n + N_THREADS - 1) / N_THREADS;
  vector_add<<<N_THREADS, n_blocks>>>(x, y, z, n);
  cudaMemcpy(c, z, size, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
