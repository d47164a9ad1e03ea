// verdict: fails-correctness
// pitfall: P53
// caught-by: case "one more than a block"
// The totals come from the tree of sums, whose halves are not adjacent.
#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// One step of the recurrence, or several in a row: x becomes a * x + b.
struct Map {
  unsigned a, b;
};

// The map that leaves every x as it is.
__device__ Map identity() {
  return {1, 0};
}

// First one, then the other.
__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

__device__ Map from_left(Map own, int d) {
  return {__shfl_up_sync(0xffffffff, own.a, d), __shfl_up_sync(0xffffffff, own.b, d)};
}

__device__ Map scan_warp(Map own) {
  const int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    const Map left = from_left(own, d);
    if (lane >= d) own = combine(left, own);
  }
  return own;
}

// The maps of threads 0 to t in one, for each thread t.
__device__ Map scan_block(Map own) {
  __shared__ Map warps[kBlock / 32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  own = scan_warp(own);
  if (lane == 31) warps[warp] = own;
  __syncthreads();
  if (warp == 0) {
    const Map all = scan_warp(lane < kBlock / 32 ? warps[lane] : identity());
    if (lane < kBlock / 32) warps[lane] = all;
  }
  __syncthreads();
  return warp > 0 ? combine(warps[warp - 1], own) : own;
}

__global__ void scan_blocks(Map* maps, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(i < n ? maps[i] : identity());
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

// Puts the blocks before it in front of each block.
__global__ void join_blocks(Map* maps, const Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (blockIdx.x > 0 && i < n) maps[i] = combine(totals[blockIdx.x - 1], maps[i]);
}

// Scans the maps in place.
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

__global__ void find_totals(const unsigned* a, const unsigned* x, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  __shared__ Map part[kBlock];
  part[threadIdx.x] = i < n ? Map{a[i], x[i]} : identity();
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = part[0];
}

__global__ void finish(const unsigned* a, unsigned* x, const Map* totals, int n, unsigned start) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  Map own = scan_block(i < n ? Map{a[i], x[i]} : identity());
  if (blockIdx.x > 0) own = combine(totals[blockIdx.x - 1], own);
  if (i < n) x[i] = own.a * start + own.b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  Map* totals = nullptr;
  cudaMalloc(&totals, blocks * sizeof(Map));
  if (blocks > 1) {
    find_totals<<<blocks, kBlock>>>(a, x, totals, n);
    scan(totals, blocks);
  }
  finish<<<blocks, kBlock>>>(a, x, totals, n, start);
  cudaFree(totals);
}
