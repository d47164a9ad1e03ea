#include "scan.h"

#include <cuda_runtime.h>

#define B 512

__global__ void kogge_stone(const float* in, float* out, float* sums, int n, int exclusive) {
  __shared__ float s[B];
  int i = blockIdx.x * B + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (int d = 1; d < B; d *= 2) {
    __syncthreads();
    if (threadIdx.x >= d) s[threadIdx.x] += s[threadIdx.x - d];
  }
  __syncthreads();
  if (i < n) {
    if (exclusive)
      out[i] = threadIdx.x == 0 ? 0.0f : s[threadIdx.x - 1];
    else
      out[i] = s[threadIdx.x];
  }
  if (sums && threadIdx.x == B - 1) sums[blockIdx.x] = s[B - 1];
}

__global__ void add(float* out, const float* before, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (i < n) out[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + B - 1) / B;
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  kogge_stone<<<blocks, B>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan(totals, before, blocks, 1);
    add<<<blocks, B>>>(sums, before, n);
  }
  cudaFree(totals);
  cudaFree(before);
}
