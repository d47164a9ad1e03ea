#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

struct Map {
  unsigned a, b;
};

__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

// Scans the maps of each block.
__device__ Map scan_in_block(Map own, Map* part) {
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

__global__ void scan_blocks(const unsigned* a, const unsigned* x, Map* maps, Map* totals, int n) {
  __shared__ Map part[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  Map own = {1, 0};
  if (i < n) own = {a[i], x[i]};
  own = scan_in_block(own, part);
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

// One block: inclusive scan of all totals.
__global__ void scan_totals(Map* totals, int blocks) {
  __shared__ Map part[kBlock];
  Map before = {1, 0};
  for (int base = 0; base < blocks; base += kBlock) {
    const int i = base + threadIdx.x;
    Map own = {1, 0};
    if (i < blocks) own = totals[i];
    own = scan_in_block(own, part);
    if (i < blocks) totals[i] = combine(before, own);
    before = combine(before, part[kBlock - 1]);
    __syncthreads();
  }
}

__global__ void apply(const Map* maps, const Map* totals, unsigned* x, int n, unsigned start) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  unsigned x0 = start;
  if (blockIdx.x > 0) x0 = totals[blockIdx.x - 1].a * start + totals[blockIdx.x - 1].b;
  x[i] = maps[i].a * x0 + maps[i].b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  Map *maps, *totals;
  cudaMalloc(&maps, n * sizeof(Map));
  cudaMalloc(&totals, blocks * sizeof(Map));
  scan_blocks<<<blocks, kBlock>>>(a, x, maps, totals, n);
  apply<<<blocks, kBlock>>>(maps, totals, x, n, start);
  if (cudaGetLastError() != cudaSuccess) n = 0;
  cudaFree(maps);
  cudaFree(totals);
}
