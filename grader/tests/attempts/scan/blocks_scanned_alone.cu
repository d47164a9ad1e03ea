#include "scan.h"

#include <cuda_runtime.h>

#define N 1024

__global__ void scan_block(const float* values, float* sums, int n, int exclusive) {
  __shared__ float s[N];
  int t = threadIdx.x;
  int i = blockIdx.x * N + t;
  s[t] = i < n ? values[i] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < N; offset <<= 1) {
    float add = t >= offset ? s[t - offset] : 0.0f;
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  if (i < n) {
    if (exclusive)
      sums[i] = t == 0 ? 0.0f : s[t - 1];
    else
      sums[i] = s[t];
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_block<<<(n + N - 1) / N, N>>>(values, sums, n, exclusive);
}
