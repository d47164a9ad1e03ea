// Scans of warps by shuffles, then the totals of warps and blocks.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256
#define WARPS (BLOCK / 32)
#define ALL 0xffffffff

__device__ float scan_warp(float x) {
  int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    float left = __shfl_up_sync(ALL, x, d);
    if (lane >= d) x += left;
  }
  return x;
}

__global__ void scan_blocks(const float* x, float* y, float* totals, int n, int exclusive) {
  __shared__ float warp_sums[WARPS];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float own = i < n ? x[i] : 0.0f;
  float sum = scan_warp(own);
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float s = scan_warp(lane < WARPS ? warp_sums[lane] : 0.0f);
    if (lane < WARPS) warp_sums[lane] = s;
  }
  __syncthreads();
  float before = __shfl_up_sync(ALL, sum, 1);
  if (lane == 0) before = 0;
  float warps_before = 0;
  if (warp > 0) warps_before = warp_sums[warp - 1];
  if (i < n) y[i] = warps_before + (exclusive ? before : sum);
  if (threadIdx.x == BLOCK - 1) totals[blockIdx.x] = warps_before + sum;
}

__global__ void add_totals(float* y, const float* before, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] += before[blockIdx.x];
}

void scan_all(const float* x, float* y, int n, int exclusive) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, BLOCK>>>(x, y, totals, n, exclusive);
  if (blocks > 1) {
    scan_all(totals, before, blocks, 1);
    add_totals<<<blocks, BLOCK>>>(y, before, n);
  }
  cudaFree(totals);
  cudaFree(before);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_all(values, sums, n, exclusive);
}
