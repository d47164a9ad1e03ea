// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced-stores
// Correct, but a thread has eight adjacent elements.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int first = (blockIdx.x * kBlock + threadIdx.x) * 8;
  float left = first > 0 && first < n ? values[first - 1] : 0;
  for (int i = first; i < min(first + 8, n); ++i) {
    const float own = values[i];
    result[i] = own - left;
    left = own;
  }
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + 8 * kBlock - 1) / (8 * kBlock), kBlock>>>(values, result, n);
}
