#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) {
    return;
  }
  float* devA = nullptr;
  float* devB = nullptr;
  float* devC = nullptr;
  const size_t bytes = n * sizeof(float);
  cudaMalloc(&devA, bytes);
  cudaMalloc(&devB, bytes);
  cudaMalloc(&devC, bytes);
  // from the host to the device
  cudaMemcpy(devA, a, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(devB, b, bytes, cudaMemcpyDeviceToHost);
  add<<<(n + 255) / 256, 256>>>(devA, devB, devC, n);
  // and back
  cudaMemcpy(c, devC, bytes, cudaMemcpyHostToDevice);
  cudaFree(devA);
  cudaFree(devB);
  cudaFree(devC);
}
