// lab:     vecadd
// does:    pads its inputs to rows on the host, and copies those in two dimensions
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

constexpr int kWidth = 1000;

__global__ void add(const float* a, const float* b, float* c, int pitch, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int at = i / kWidth * pitch + i % kWidth;
  c[at] = a[at] + b[at];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int rows = (n + kWidth - 1) / kWidth;
  constexpr int kHostWidth = kWidth + 3;
  std::vector<float> rows_a(rows * kHostWidth), rows_b(rows * kHostWidth);
  for (int i = 0; i < n; ++i) {
    rows_a[i / kWidth * kHostWidth + i % kWidth] = a[i];
    rows_b[i / kWidth * kHostWidth + i % kWidth] = b[i];
  }
  float *x, *y, *z;
  size_t pitch;
  const size_t width = kWidth * sizeof(float);
  const size_t host_pitch = kHostWidth * sizeof(float);
  cudaMallocPitch(&x, &pitch, width, rows);
  cudaMallocPitch(&y, &pitch, width, rows);
  cudaMallocPitch(&z, &pitch, width, rows);
  cudaMemcpy2D(x, pitch, rows_a.data(), host_pitch, width, rows, cudaMemcpyHostToDevice);
  cudaMemcpy2D(y, pitch, rows_b.data(), host_pitch, width, rows, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, static_cast<int>(pitch / sizeof(float)), n);
  const int whole = n / kWidth;
  if (whole > 0) cudaMemcpy2D(c, width, z, pitch, width, whole, cudaMemcpyDeviceToHost);
  if (n % kWidth != 0) {
    cudaMemcpy(c + whole * kWidth, z + whole * (pitch / sizeof(float)), n % kWidth * sizeof(float),
               cudaMemcpyDeviceToHost);
  }
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
