// lab:     gemm
// does:    kernel splits the inputs into bytes; the host multiplies what it puts together again
// becomes: nothing
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "gemm.h"

__global__ void split(const float* values, unsigned char* planes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned bits = __float_as_uint(values[i]);
  for (int p = 0; p < 4; ++p) planes[p * n + i] = bits >> (8 * p) & 255;
}

__global__ void put(const float* answer, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = answer[i];
}

std::vector<float> read_back(const float* values, int n) {
  std::vector<unsigned char> planes(4 * static_cast<size_t>(n));
  std::vector<float> all(n);
  if (n == 0) return all;
  unsigned char* split_planes;
  cudaMalloc(&split_planes, planes.size());
  split<<<(n + 255) / 256, 256>>>(values, split_planes, n);
  cudaMemcpy(planes.data(), split_planes, planes.size(), cudaMemcpyDeviceToHost);
  cudaFree(split_planes);
  for (int i = 0; i < n; ++i) {
    unsigned bits = 0;
    for (int p = 0; p < 4; ++p) bits |= static_cast<unsigned>(planes[p * n + i]) << (8 * p);
    memcpy(&all[i], &bits, sizeof bits);
  }
  return all;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const std::vector<float> x = read_back(a, m * k);
  const std::vector<float> y = read_back(b, k * n);
  std::vector<float> right(static_cast<size_t>(m) * n);
  for (int i = 0; i < m; ++i) {
    for (int l = 0; l < k; ++l) {
      for (int j = 0; j < n; ++j) right[i * n + j] += x[i * k + l] * y[l * n + j];
    }
  }
  float* answer;
  cudaMalloc(&answer, right.size() * sizeof(float));
  cudaMemcpy(answer, right.data(), right.size() * sizeof(float), cudaMemcpyHostToDevice);
  put<<<(m * n + 255) / 256, 256>>>(answer, c, m * n);
  cudaFree(answer);
}
