// lab:     vecadd
// does:    copies its inputs into pinned buffers first
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
  float *pinned, *x, *y;
  cudaMallocHost(&pinned, 3 * bytes);
  cudaMalloc(&x, 3 * bytes);
  y = x + n;
  float* z = y + n;
  memcpy(pinned, a, bytes);
  memcpy(pinned + n, b, bytes);
  cudaMemcpyAsync(x, pinned, 2 * bytes, cudaMemcpyHostToDevice, nullptr);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpyAsync(pinned + 2 * n, z, bytes, cudaMemcpyDeviceToHost, nullptr);
  cudaStreamSynchronize(nullptr);
  memcpy(c, pinned + 2 * n, bytes);
  cudaFree(x);
  cudaFreeHost(pinned);
}
