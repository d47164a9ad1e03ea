// verdict: fails-correctness
// pitfall: P3
// caught-by: case "one more than a block"
// The division is done in integers, before ceil sees it.
#include "differences.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float own = i < n ? values[i] : 0;
  float left = __shfl_up_sync(0xffffffff, own, 1);
  if (threadIdx.x % 32 == 0) left = i > 0 && i < n ? values[i - 1] : 0;
  if (i < n) result[i] = own - left;
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  const int blocks = n < kBlock ? 1 : static_cast<int>(std::ceil(n / kBlock));
  subtract<<<blocks, kBlock>>>(values, result, n);
}
