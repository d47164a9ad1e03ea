#include "scan.h"

#include <cuda_runtime.h>

// Each block scans 1024 elements with warp shuffles; block sums are scanned by recursion.
static const int kThreads = 256;
static const int kItems = 4;
static const int kBlock = kThreads * kItems;

__device__ float scan_warp(float x) {
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    const float left = __shfl_up_sync(0xffffffffu, x, d);
    if (lane >= d) x += left;
  }
  return x;
}

__global__ void scan_blocks(const float* in, float* out, float* block_sums, int n, bool exclusive) {
  __shared__ float warp_sums[kThreads / 32];
  const int first = blockIdx.x * kBlock + threadIdx.x * kItems;
  float x[kItems];
  float total = 0;
  for (int i = 0; i < kItems; ++i) {
    x[i] = first + i < n ? in[first + i] : 0.0f;
    total += x[i];
  }
  const float upto = scan_warp(total);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 31) warp_sums[warp] = upto;
  __syncthreads();
  float before = 0;
  for (int w = 0; w < warp; ++w) before += warp_sums[w];
  float running = before + upto - total;
  // upto - total loses bits; ask the neighbour for its sum instead
  const float left = __shfl_up_sync(0xffffffffu, upto, 1);
  running = before + (lane == 0 ? 0.0f : left);
  for (int i = 0; i < kItems; ++i) {
    const float with = running + x[i];
    if (first + i < n) out[first + i] = exclusive ? running : with;
    running = with;
  }
  if (block_sums != nullptr && threadIdx.x == blockDim.x - 1) block_sums[blockIdx.x] = running;
}

__global__ void add_block_sums(float* out, const float* sums_before, int n) {
  const int block = blockIdx.x;
  for (int i = threadIdx.x; i < kBlock; i += blockDim.x) {
    const int at = block * kBlock + i;
    if (at < n) out[at] += sums_before[block];
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n <= 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    scan_blocks<<<1, kThreads>>>(values, sums, nullptr, n, exclusive != 0);
    return;
  }
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, kThreads>>>(values, sums, totals, n, exclusive != 0);
  scan(totals, before, blocks, 1);
  add_block_sums<<<blocks, kThreads>>>(sums, before, n);
  cudaFree(totals);
  cudaFree(before);
}
