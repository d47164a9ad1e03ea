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

__global__ void multiply(const float* rows, float* result, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += rows[i * m + k] * rows[j * m + k];
  result[i * n + j] = sum;
}

void correlate(const float* rows, float* result, int n, int m) {
  const std::vector<float> normal = normalized(rows, n, m);
  float *device, *products;
  cudaMalloc(&device, n * m * sizeof(float));
  cudaMalloc(&products, n * n * sizeof(float));
  cudaMemcpy(device, normal.data(), n * m * sizeof(float), cudaMemcpyHostToDevice);
  multiply<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(device, products, n, m);
  cudaMemcpy(result, products, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFree(products);
}
