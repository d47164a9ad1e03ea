// lab:     gemm
// does:    transposes the second matrix on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "gemm.h"

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(m) * n) return;
  float sum = 0;
  for (int x = 0; x < k; ++x) sum += a[i / n * k + x] * b[i % n * k + x];
  c[i] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const size_t count = static_cast<size_t>(n) * k;
  std::vector<float> host(count), transposed(count);
  cudaMemcpy(host.data(), b, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int x = 0; x < k; ++x) {
    for (int j = 0; j < n; ++j) {
      transposed[static_cast<size_t>(j) * k + x] = host[static_cast<size_t>(x) * n + j];
    }
  }
  float* t = nullptr;
  cudaMalloc(&t, count * sizeof(float));
  cudaMemcpy(t, transposed.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  const long long all = static_cast<long long>(m) * n;
  multiply<<<static_cast<unsigned>((all + 255) / 256), 256>>>(a, t, c, m, n, k);
  cudaFree(t);
}
