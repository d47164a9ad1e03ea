// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block goes through the array piece by piece; the other multiprocessors idle.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256

__global__ void scan_pieces(const float* x, float* y, int n, int exclusive) {
  __shared__ float temp[BLOCK];
  int t = threadIdx.x;
  float carry = 0;
  for (int i = t; i - t < n; i += BLOCK) {
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
    if (i < n) y[i] = carry + (exclusive ? before : temp[t]);
    carry += temp[BLOCK - 1];
    __syncthreads();
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n > 0) scan_pieces<<<1, BLOCK>>>(values, sums, n, exclusive);
}
