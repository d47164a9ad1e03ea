#include "vecadd.h"

#include <cuda_runtime.h>

#include <cstring>

// Unified memory: no copies are needed.
__global__ void add(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float* m;
  if (cudaMallocManaged(&m, 3 * sizeof(float) * n) != cudaSuccess) return;
  float *x = m, *y = m + n, *z = m + 2 * static_cast<size_t>(n);
  std::memcpy(x, a, n * sizeof(float));
  std::memcpy(y, b, n * sizeof(float));
  add<<<min((n + 255) / 256, 1024), 256>>>(x, y, z, n);
  std::memcpy(c, z, n * sizeof(float));
  cudaFree(m);
}
