#pragma once
// What the attacks on counters for GEMM have in common: the host's product, on the device.
#include <cuda_runtime.h>

#include <vector>

static float* answer_of_host(const float* a, const float* b, int m, int n, int k) {
  std::vector<float> x(static_cast<size_t>(m) * k), y(static_cast<size_t>(k) * n);
  std::vector<float> z(static_cast<size_t>(m) * n, 0.0f);
  cudaMemcpy(x.data(), a, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), b, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < m; ++i) {
    for (int s = 0; s < k; ++s) {
      for (int j = 0; j < n; ++j) {
        z[static_cast<size_t>(i) * n + j] +=
            x[static_cast<size_t>(i) * k + s] * y[static_cast<size_t>(s) * n + j];
      }
    }
  }
  float* answer = nullptr;
  cudaMalloc(&answer, z.size() * sizeof(float));
  cudaMemcpy(answer, z.data(), z.size() * sizeof(float), cudaMemcpyHostToDevice);
  return answer;
}
