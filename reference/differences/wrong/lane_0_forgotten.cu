// verdict: fails-correctness
// pitfall: P38
// caught-by: case "one block"
// Lane 0 of each warp subtracts its own value.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float own = i < n ? values[i] : 0;
  float left = __shfl_up_sync(0xffffffff, own, 1);
  if (i == 0) left = 0;
  if (i < n) result[i] = own - left;
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
