// lab:     vecadd
// root:    A
// tries:   copies the results to a vector of its own, and from there to the output
// holds:   all of its cases pass
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

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
  std::vector<float> results(n);
  cudaMemcpy(results.data(), z, bytes, cudaMemcpyDeviceToHost);
  std::copy(results.begin(), results.end(), c);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
