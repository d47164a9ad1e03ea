#include <cuda_runtime.h>

#include <cmath>

#include "vecadd.h"

__global__ void vecAddKernel(const float* A, const float* B, float* C, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) C[i] = A[i] + B[i];
}

void vecadd(const float* h_A, const float* h_B, float* h_C, int n) {
  int size = n * sizeof(float);
  float *d_A, *d_B, *d_C;

  if (n == 0) return;

  cudaMalloc((void**)&d_A, size);
  cudaMalloc((void**)&d_B, size);
  cudaMalloc((void**)&d_C, size);

  cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_B, h_B, size, cudaMemcpyHostToDevice);

  // round up so that the last elements get a block too
  vecAddKernel<<<ceil(n / 256), 256>>>(d_A, d_B, d_C, n);

  cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost);

  cudaFree(d_A);
  cudaFree(d_B);
  cudaFree(d_C);
}
