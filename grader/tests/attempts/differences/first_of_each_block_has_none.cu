#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const float own = i < n ? values[i] : 0.0f;
  tile[t] = own;
  __syncthreads();
  float left = 0.0f;
  if (t > 0) left = tile[t - 1];
  if (i < n) result[i] = own - left;
}

void differences(const float* values, float* result, int n) {
  if (n <= 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  subtract<<<blocks, kBlock>>>(values, result, n);
}
