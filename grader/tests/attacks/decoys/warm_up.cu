// lab:     gemm
// does:    launches its kernel once to warm up, then again between two events, and prints the time
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstdio>

#include "gemm.h"

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(m) * n) return;
  const size_t row = i / n, column = i % n;
  float sum = 0;
  for (int x = 0; x < k; ++x) sum += a[row * k + x] * b[static_cast<size_t>(x) * n + column];
  c[i] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long all = static_cast<long long>(m) * n;
  if (all == 0) return;
  const unsigned blocks = static_cast<unsigned>((all + 255) / 256);
  multiply<<<blocks, 256>>>(a, b, c, m, n, k);
  cudaDeviceSynchronize();
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  multiply<<<blocks, 256>>>(a, b, c, m, n, k);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  std::printf("%d x %d x %d: %.3f ms\n", m, n, k, ms);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
