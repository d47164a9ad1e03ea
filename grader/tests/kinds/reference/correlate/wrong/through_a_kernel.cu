// verdict: fails-concept
// pitfall: none
// caught-by: concept products
// The host multiplies the rows, and a kernel passes the result on.
#include "correlate.h"

#include <cmath>
#include <vector>

static std::vector<float> normalized(const float* rows, int n, int m) {
  std::vector<float> normal(rows, rows + n * m);
  for (int i = 0; i < n; ++i) {
    double mean = 0;
    for (int k = 0; k < m; ++k) mean += rows[i * m + k];
    mean /= m;
    double squares = 0;
    for (int k = 0; k < m; ++k) squares += (rows[i * m + k] - mean) * (rows[i * m + k] - mean);
    for (int k = 0; k < m; ++k) normal[i * m + k] = (rows[i * m + k] - mean) / std::sqrt(squares);
  }
  return normal;
}

static std::vector<float> multiplied(const std::vector<float>& rows, int n, int m) {
  std::vector<float> result(n * n);
  for (int i = 0; i < n * n; ++i) {
    for (int k = 0; k < m; ++k) result[i] += rows[i / n * m + k] * rows[i % n * m + k];
  }
  return result;
}

__global__ void pass_on(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void correlate(const float* rows, float* result, int n, int m) {
  const std::vector<float> all = multiplied(normalized(rows, n, m), n, m);
  float *from, *to;
  cudaMalloc(&from, n * n * sizeof(float));
  cudaMalloc(&to, n * n * sizeof(float));
  cudaMemcpy(from, all.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  pass_on<<<(n * n + 127) / 128, 128>>>(from, to, n * n);
  cudaMemcpy(result, to, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
}
