#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

struct Map {
  unsigned a, b;
};

__device__ Map identity() { return {0, 0}; }

__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

// Inclusive scan of the block's maps in shared memory.
__device__ Map scan_in_block(Map own, Map *part) {
  const int t = threadIdx.x;
  part[t] = own;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d)
      own = combine(part[t - d], own);
    __syncthreads();
    part[t] = own;
    __syncthreads();
  }
  return own;
}

__global__ void scan_blocks(const unsigned *a, const unsigned *x, Map *maps,
                            Map *sums, int n) {
  __shared__ Map part[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  Map own = identity();
  if (i < n)
    own = {a[i], x[i]};
  own = scan_in_block(own, part);
  if (i < n)
    maps[i] = own;
  if (threadIdx.x == kBlock - 1)
    sums[blockIdx.x] = own;
}

// One block makes the sums exclusive: afterwards sums[b] is the map of all
// blocks before b.
__global__ void scan_totals(Map *sums, int blocks) {
  __shared__ Map part[kBlock];
  Map before = identity();
  for (int first = 0; first < blocks; first += kBlock) {
    const int b = first + threadIdx.x;
    Map own = identity();
    if (b < blocks)
      own = sums[b];
    own = scan_in_block(own, part);
    const Map left = threadIdx.x > 0 ? part[threadIdx.x - 1] : identity();
    const Map all = part[kBlock - 1];
    if (b < blocks)
      sums[b] = combine(before, left);
    before = combine(before, all);
    __syncthreads();
  }
}

__global__ void apply(const Map *maps, const Map *sums, unsigned *x, int n,
                      unsigned start) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n)
    return;
  const Map before = sums[blockIdx.x];
  const unsigned in = before.a * start + before.b;
  x[i] = maps[i].a * in + maps[i].b;
}

void recurrence(const unsigned *a, unsigned *x, int n, unsigned start) {
  if (n == 0)
    return;
  const int blocks = (n + kBlock - 1) / kBlock;
  Map *maps, *sums;
  cudaMalloc(&maps, n * sizeof(Map));
  cudaMalloc(&sums, blocks * sizeof(Map));
  scan_blocks<<<blocks, kBlock>>>(a, x, maps, sums, n);
  scan_totals<<<1, kBlock>>>(sums, blocks);
  apply<<<blocks, kBlock>>>(maps, sums, x, n, start);
  cudaFree(maps);
  cudaFree(sums);
}
