// verdict: fails-correctness
// pitfall: none
// caught-by: case "one value"
// The first element is not written.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i > 0 && i < n) result[i] = values[i] - values[i - 1];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
