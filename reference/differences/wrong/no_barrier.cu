// verdict: fails-safety
// pitfall: P22
// caught-by: finding race-shared
// The array is read before all threads have stored their values.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  __shared__ float tile[kBlock + 1];  // the value on the left of the block's own, then these
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) tile[t + 1] = values[i];
  if (t == 0) tile[0] = i > 0 ? values[i - 1] : 0;
  if (i < n) result[i] = tile[t + 1] - tile[t];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
