#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

struct Map {
  unsigned a, b;
};

__device__ Map identity() { return {1u, 0u}; }

__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

// Inclusive scan of the block's maps.
__device__ Map scan_block(Map own) {
  __shared__ Map part[kBlock];
  const int t = threadIdx.x;
  part[t] = own;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d) own = combine(own, part[t - d]);
    __syncthreads();
    part[t] = own;
    __syncthreads();
  }
  return own;
}

__global__ void scan_blocks(const unsigned* a, const unsigned* x, Map* maps, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(i < n ? Map{a[i], x[i]} : identity());
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

// x before each block, one thread after the totals: there are few blocks.
__global__ void starts(const Map* totals, unsigned* before, int blocks, unsigned start) {
  unsigned x = start;
  for (int b = 0; b < blocks; ++b) {
    before[b] = x;
    x = totals[b].a * x + totals[b].b;
  }
}

__global__ void apply(const Map* maps, const unsigned* before, unsigned* x, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) x[i] = maps[i].a * before[blockIdx.x] + maps[i].b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  Map *maps, *totals;
  unsigned* before;
  if (cudaMalloc(&maps, n * sizeof(Map)) != cudaSuccess) return;
  if (cudaMalloc(&totals, blocks * sizeof(Map)) != cudaSuccess) return;
  if (cudaMalloc(&before, blocks * sizeof(unsigned)) != cudaSuccess) return;
  scan_blocks<<<blocks, kBlock>>>(a, x, maps, totals, n);
  starts<<<1, 1>>>(totals, before, blocks, start);
  apply<<<blocks, kBlock>>>(maps, before, x, n);
  if (cudaGetLastError() != cudaSuccess) { /* nothing was computed */ }
  cudaFree(maps);
  cudaFree(totals);
  cudaFree(before);
}
