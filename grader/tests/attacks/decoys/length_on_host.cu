// lab:     normalize
// does:    adds the last partial sums on the host, and scales by the length in a second kernel
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "normalize.h"

constexpr int kBlocks = 60;
constexpr int kBlock = 128;

__global__ void squares(const float* a, const float* b, float* unit, double* parts, int n) {
  __shared__ double part[kBlock];
  double sum = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += kBlocks * kBlock) {
    const float d = a[i] - b[i];
    unit[i] = d;
    sum += static_cast<double>(d) * d;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = part[0];
}

__global__ void scale(float* unit, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unit[i] = static_cast<float>(unit[i] * factor);
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  double* parts;
  cudaMalloc(&parts, kBlocks * sizeof(double));
  squares<<<kBlocks, kBlock>>>(a, b, unit, parts, n);
  std::vector<double> host(kBlocks);
  cudaMemcpy(host.data(), parts, kBlocks * sizeof(double), cudaMemcpyDeviceToHost);
  const double square = std::accumulate(host.begin(), host.end(), 0.0);
  scale<<<(n + 255) / 256, 256>>>(unit, square > 0 ? 1 / std::sqrt(square) : 0, n);
  cudaFree(parts);
}
