#include "scan.h"

#include <cuda_runtime.h>

__global__ void part(const float* in, float* out, float* sums, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    float left = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    __syncthreads();
    s[threadIdx.x] += left;
  }
  if (i < n) out[i] = s[threadIdx.x];
  if (threadIdx.x == 255) sums[blockIdx.x] = s[255];
}

__global__ void add(float* out, const float* sums, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}

// inclusive prefix sums
void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  float *totals, *scanned;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&scanned, blocks * sizeof(float));
  part<<<blocks, 256>>>(values, sums, totals, n);
  if (blocks > 1) {
    scan(totals, scanned, blocks, 0);
    add<<<blocks, 256>>>(sums, scanned, n);
  }
  cudaFree(totals);
  cudaFree(scanned);
}
