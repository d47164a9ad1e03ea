// verdict: fails-safety
// pitfall: P20
// caught-by: finding oob-shared-read
// Thread 0 of each block reads the element before the shared array.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) tile[t] = values[i];
  __syncthreads();
  if (i < n) result[i] = i == 0 ? tile[t] : tile[t] - tile[t - 1];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
