// lab:     vecadd
// does:    widens its inputs on the host, and copies sums in double back to look at them
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "vecadd.h"

__global__ void add(double* a, const double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b[i];
}

__global__ void narrow(const double* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = static_cast<float>(sums[i]);
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::vector<double> wide_a(a, a + n), wide_b(b, b + n);
  double *x, *y;
  float* z;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMalloc(&z, n * sizeof(float));
  cudaMemcpy(x, wide_a.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(y, wide_b.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, n);
  std::vector<double> sums(n);
  cudaMemcpy(sums.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("sums:");
  for (int i = 0; i < std::min(n, 8); ++i) std::printf(" %g", sums[i]);
  std::printf("\n");
  narrow<<<(n + 255) / 256, 256>>>(x, z, n);
  cudaMemcpy(c, z, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
