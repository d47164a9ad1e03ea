#include <cmath>

#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void vecAddKernel(const float* A, const float* B, float* C, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) C[i] = A[i] + B[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  int size = n * sizeof(float);
  float *d_A, *d_B, *d_C;
  cudaMalloc((void**)&d_A, size);
  cudaMemcpy(d_A, a, size, cudaMemcpyHostToDevice);
  cudaMalloc((void**)&d_B, size);
  cudaMemcpy(d_B, b, size, cudaMemcpyHostToDevice);
  cudaMalloc((void**)&d_C, size);
  vecAddKernel<<<ceil(n / 256), 256>>>(d_A, d_B, d_C, n);
  cudaMemcpy(c, d_C, size, cudaMemcpyDeviceToHost);
  cudaFree(d_A);
  cudaFree(d_B);
  cudaFree(d_B);
}
