// verdict: fails-correctness
// pitfall: P58
// caught-by: case "one more than a block"
// Every block is scanned separately, and the sums of earlier blocks are not added.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256

__global__ void scan_blocks(const float* x, float* y, int n, int exclusive) {
  __shared__ float temp[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  temp[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    float left = 0;
    if (t >= d) left = temp[t - d];
    __syncthreads();
    temp[t] += left;
    __syncthreads();
  }
  float before = 0;
  if (t > 0) before = temp[t - 1];
  if (i < n) y[i] = exclusive ? before : temp[t];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_blocks<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(values, sums, n, exclusive);
}
