#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

struct Map {
  unsigned a, b;
};

__device__ Map identity() {
  return {1, 0};
}

__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

__device__ Map scan_block(Map own) {
  __shared__ Map part[kBlock];
  const int t = threadIdx.x;
  part[t] = own;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d) own = combine(part[t - d], own);
    __syncthreads();
    part[t] = own;
    __syncthreads();
  }
  return own;
}

__global__ void scan_blocks(Map* maps, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(i < n ? maps[i] : identity());
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

__global__ void join_blocks(Map* maps, const Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (blockIdx.x > 0 && i < n) maps[i] = combine(totals[blockIdx.x - 1], maps[i]);
}

void scan(Map* maps, int n) {
  const int blocks = (n - 1) / kBlock + 1;
  Map* totals = nullptr;
  cudaMalloc(&totals, blocks * sizeof(Map));
  scan_blocks<<<blocks, kBlock>>>(maps, totals, n);
  if (blocks > 1) {
    scan(totals, blocks);
    join_blocks<<<blocks, kBlock>>>(maps, totals, n);
  }
  cudaFree(totals);
}

__global__ void scan_elements(const unsigned* a, const unsigned* x, Map* maps, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(i < n ? Map{a[i], x[i]} : identity());
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

__global__ void apply(const Map* maps, const Map* totals, unsigned* x, int n, unsigned start) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  Map own = maps[i];
  if (blockIdx.x > 0) own = combine(totals[blockIdx.x - 1], own);
  x[i] = own.a + start + own.b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  Map* maps = nullptr;
  Map* totals = nullptr;
  cudaMalloc(&maps, n * sizeof(Map));
  cudaMalloc(&totals, blocks * sizeof(Map));
  scan_elements<<<blocks, kBlock>>>(a, x, maps, totals, n);
  if (blocks > 1) scan(totals, blocks);
  apply<<<blocks, kBlock>>>(maps, totals, x, n, start);
  cudaFree(maps);
  cudaFree(totals);
}
