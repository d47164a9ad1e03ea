// lab:     vecadd
// does:    interleaves its inputs on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void add(const float2* pairs, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = pairs[i].x + pairs[i].y;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  std::vector<float2> pairs(n);
  for (int i = 0; i < n; ++i) pairs[i] = make_float2(a[i], b[i]);
  float2* x;
  float* z;
  cudaMalloc(&x, 2 * bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, pairs.data(), 2 * bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(z);
}
