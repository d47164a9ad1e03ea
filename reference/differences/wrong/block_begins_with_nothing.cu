// verdict: fails-correctness
// pitfall: P10
// caught-by: case "one more than a block"
// The first thread of each block takes a 0 for the value on its left.
#include "differences.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* values, float* result, int n) {
  __shared__ float tile[kBlock + 1];  // the value on the left of the block's own, then these
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) tile[t + 1] = values[i];
  if (t == 0) tile[0] = 0;
  __syncthreads();
  if (i < n) result[i] = tile[t + 1] - tile[t];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
}
