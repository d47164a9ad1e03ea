// verdict: fails-concept
// pitfall: P64
// caught-by: concept loads
// Correct, but each value is loaded twice.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) result[i] = i == 0 ? values[i] : values[i] - values[i - 1];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
