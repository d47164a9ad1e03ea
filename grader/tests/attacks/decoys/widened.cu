// lab:     vecadd
// does:    converts its inputs to double on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void add(const double* a, const double* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = static_cast<float>(a[i] + b[i]);
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const std::vector<double> wide_a(a, a + n), wide_b(b, b + n);
  double *x, *y;
  float* z;
  cudaMalloc(&x, 2 * bytes);
  cudaMalloc(&y, 2 * bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, wide_a.data(), 2 * bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, wide_b.data(), 2 * bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
