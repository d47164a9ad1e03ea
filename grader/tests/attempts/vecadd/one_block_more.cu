#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int idx = threadIdx.x + blockIdx.x * blockDim.x;
  c[idx] = a[idx] + b[idx];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  float* a_gpu;
  float* b_gpu;
  float* c_gpu;
  cudaMalloc((void**)&a_gpu, sizeof(float) * n);
  cudaMalloc((void**)&b_gpu, sizeof(float) * n);
  cudaMalloc((void**)&c_gpu, sizeof(float) * n);
  cudaMemcpy(a_gpu, a, sizeof(float) * n, cudaMemcpyHostToDevice);
  cudaMemcpy(b_gpu, b, sizeof(float) * n, cudaMemcpyHostToDevice);

  // one more block for the rest
  add<<<n / 256 + 1, 256>>>(a_gpu, b_gpu, c_gpu, n);
  cudaDeviceSynchronize();

  cudaMemcpy(c, c_gpu, sizeof(float) * n, cudaMemcpyDeviceToHost);
  cudaFree(a_gpu);
  cudaFree(b_gpu);
  cudaFree(c_gpu);
}
