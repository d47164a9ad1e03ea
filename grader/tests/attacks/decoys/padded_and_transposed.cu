// lab:     vecadd
// does:    pads and transposes both inputs on the host, and transposes the sums back
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

constexpr int kRows = 24;

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int columns = (n + kRows - 1) / kRows;
  const int count = kRows * columns;
  std::vector<float> across_a(count), across_b(count), across_c(count);  // padded by zeros
  for (int i = 0; i < n; ++i) {
    across_a[i % columns * kRows + i / columns] = a[i];
    across_b[i % columns * kRows + i / columns] = b[i];
  }
  const size_t bytes = count * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, across_a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, across_b.data(), bytes, cudaMemcpyHostToDevice);
  add<<<(count + 127) / 128, 128>>>(x, y, z, count);
  cudaMemcpy(across_c.data(), z, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) c[i] = across_c[i % columns * kRows + i / columns];
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
