// verdict: fails-safety
// pitfall: P1
// caught-by: finding oob-global-read
// Threads beyond the last element are not masked off.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  result[i] = i == 0 ? values[i] : values[i] - values[i - 1];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
