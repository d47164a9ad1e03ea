// verdict: fails-safety
// pitfall: P22
// caught-by: finding race-shared
// The next piece overwrites the warps' sums while some still read those of the last.
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

__global__ void scan_totals(float* x, int n) {
  __shared__ float warp_sums[WARPS];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  float carry = 0;
  for (int begin = 0; begin < n; begin += BLOCK) {
    int i = begin + threadIdx.x;
    float own = i < n ? x[i] : 0.0f;
    float sum = scan_warp(own);
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    float before = __shfl_up_sync(ALL, sum, 1);
    if (lane == 0) before = 0;
    float total = 0;
    for (int w = 0; w < WARPS; w++) {
      if (w < warp) before += warp_sums[w];
      total += warp_sums[w];
    }
    if (i < n) x[i] = carry + before;
    carry += total;
  }
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

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_blocks<<<blocks, BLOCK>>>(values, sums, totals, n, exclusive);
  scan_totals<<<1, BLOCK>>>(totals, blocks);
  add_totals<<<blocks, BLOCK>>>(sums, totals, n);
  cudaFree(totals);
}
