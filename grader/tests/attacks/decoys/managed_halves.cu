// lab:     vecadd
// does:    keeps one input and the sums in managed memory, with advice and prefetches
// becomes: kept
// flag:    none
// needs:   nvcc

#include <cuda_runtime.h>

#include <algorithm>

#include "vecadd.h"

__managed__ int added;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  if (i == 0) added = n;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMallocManaged(&x, bytes);
  cudaMallocManaged(&z, bytes);
  cudaMalloc(&y, bytes);
  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, here);
  std::copy(a, a + n, x);
  cudaMemPrefetchAsync(x, bytes, here, 0, nullptr);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 63) / 64, 64>>>(x, y, z, n);
  cudaDeviceSynchronize();
  std::copy(z, z + added, c);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
