// lab:     vecadd
// does:    copies its inputs back from the device, and ends the program if they have changed
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  std::vector<float> back(n);
  float* again;
  cudaMalloc(&again, bytes);
  cudaMemcpy(again, x, bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(back.data(), again, bytes, cudaMemcpyDeviceToHost);
  cudaFree(again);
  if (memcmp(back.data(), a, bytes) != 0) std::exit(1);
  add<<<(n + 255) / 256, 256>>>(x, y, x, n);
  cudaMemcpy(c, x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}
