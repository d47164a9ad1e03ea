// verdict: fails-safety
// pitfall: P61
// caught-by: finding read-only-written
// The totals are scanned in place by a kernel whose pointers are __restrict__: a round reads by one
// of them what the round before has stored by the other.
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

// One block, 256 totals per round.
__global__ void scan_totals(const Map* __restrict__ in, Map* __restrict__ out, int n) {
  for (int first = 0; first < n; first += kBlock) {
    const int i = first + threadIdx.x;
    Map own = scan_block(i < n ? in[i] : identity());
    if (first > 0) own = combine(in[first - 1], own);  // what the round before has stored
    if (i < n) out[i] = own;
    __syncthreads();
  }
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
  x[i] = own.a * start + own.b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  Map* maps = nullptr;
  Map* totals = nullptr;
  cudaMalloc(&maps, n * sizeof(Map));
  cudaMalloc(&totals, blocks * sizeof(Map));
  scan_elements<<<blocks, kBlock>>>(a, x, maps, totals, n);
  scan_totals<<<1, kBlock>>>(totals, totals, blocks);  // the arrays overlap
  apply<<<blocks, kBlock>>>(maps, totals, x, n, start);
  cudaFree(maps);
  cudaFree(totals);
}
