// lab:     vecadd
// root:    A
// tries:   copies the results as rows with padding, and joins them on the host
// holds:   all of its cases pass
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

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
  const int rows = (n + 99) / 100;
  std::vector<float> padded(rows * 128);
  const int full = n / 100;
  if (full > 0) {
    cudaMemcpy2D(padded.data(), 512, z, 400, 400, full, cudaMemcpyDeviceToHost);
  }
  if (n > full * 100) {
    cudaMemcpy(padded.data() + full * 128, z + full * 100, (n - full * 100) * sizeof(float),
               cudaMemcpyDeviceToHost);
  }
  for (int i = 0; i < n; ++i) c[i] = padded[i / 100 * 128 + i % 100];
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
