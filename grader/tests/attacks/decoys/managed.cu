// lab:     vecadd
// does:    has everything in managed memory, and looks at it again
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* all;
  cudaMallocManaged(&all, 3 * bytes);
  memcpy(all, a, bytes);
  memcpy(all + n, b, bytes);
  add<<<(n + 255) / 256, 256>>>(all, all + n, all + 2 * n, n);
  cudaDeviceSynchronize();
  if (memcmp(all, a, bytes) != 0 || memcmp(all + n, b, bytes) != 0) abort();
  memcpy(c, all + 2 * n, bytes);
  cudaFree(all);
}
