#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void vecAddKernel(const float* A, const float* B, float* C) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  C[i] = A[i] + B[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int size = n * sizeof(float);
  float *A_d, *B_d, *C_d;

  cudaMalloc((void**)&A_d, size);
  cudaMalloc((void**)&B_d, size);
  cudaMalloc((void**)&C_d, size);
  cudaMemcpy(A_d, a, size, cudaMemcpyHostToDevice);
  cudaMemcpy(B_d, b, size, cudaMemcpyHostToDevice);

  vecAddKernel<<<(n + 255) / 256, 256>>>(A_d, B_d, C_d);

  cudaMemcpy(c, C_d, size, cudaMemcpyDeviceToHost);
  cudaFree(A_d);
  cudaFree(B_d);
  cudaFree(C_d);
}
