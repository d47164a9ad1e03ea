#include "normalize.h"

#include <cuda_runtime.h>

#include <vector>

constexpr int kBlock = 512;

// block sums; the host adds them up in double
__global__ void block_sums(const float* a, const float* b, float* sums, int n) {
  __shared__ float part[kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  float d = 0;
  if (i < n) d = a[i] - b[i];
  part[threadIdx.x] = d * d;
  for (int s = kBlock / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void scale(const float* a, const float* b, float* unit, int n, float factor) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) unit[i] = (a[i] - b[i]) * factor;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float* sums;
  cudaMalloc(&sums, blocks * sizeof(float));
  block_sums<<<blocks, kBlock>>>(a, b, sums, n);
  std::vector<float> host(blocks);
  cudaMemcpy(host.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float s : host) total += s;
  float factor = 1 / sqrt(total);
  scale<<<blocks, kBlock>>>(a, b, unit, n, factor);
  cudaFree(sums);
}
