#include "scan.h"

#include <cuda_runtime.h>

constexpr int kThreads = 1024;

// One block goes over the array piece by piece and carries the sum along.
__global__ void scan_all(const float* values, float* sums, int n, int exclusive) {
  __shared__ float temp[kThreads];
  int t = threadIdx.x;
  float carry = 0.0f;
  for (int start = 0; start < n; start += kThreads) {
    int i = start + t;
    temp[t] = i < n ? values[i] : 0.0f;
    __syncthreads();
    for (int d = 1; d < kThreads; d *= 2) {
      float v = t >= d ? temp[t - d] : 0.0f;
      __syncthreads();
      temp[t] += v;
      __syncthreads();
    }
    if (i < n) sums[i] = carry + (exclusive ? (t > 0 ? temp[t - 1] : 0.0f) : temp[t]);
    carry += temp[kThreads - 1];
    __syncthreads();
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_all<<<1, kThreads>>>(values, sums, n, exclusive);
}
