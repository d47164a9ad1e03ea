// lab:     vecadd
// root:    A
// tries:   copies the results in chunks from the end to the beginning, through one pinned buffer
// holds:   all of its cases pass
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
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  float* stage;
  cudaMallocHost(&stage, 1000 * sizeof(float));
  for (int end = n; end > 0; end -= 1000) {
    const int first = end > 1000 ? end - 1000 : 0;
    cudaMemcpy(stage, z + first, (end - first) * sizeof(float), cudaMemcpyDeviceToHost);
    std::memcpy(c + first, stage, (end - first) * sizeof(float));
  }
  cudaFreeHost(stage);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
