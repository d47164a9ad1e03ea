// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// The value is subtracted from its neighbour.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) result[i] = i == 0 ? values[i] : values[i - 1] - values[i];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
