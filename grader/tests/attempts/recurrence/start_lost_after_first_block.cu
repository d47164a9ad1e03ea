#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

struct Map {
  unsigned a, b;
  __device__ unsigned operator()(unsigned x) const { return a * x + b; }
};

__device__ Map then(Map first, Map second) { return {second.a * first.a, second.a * first.b + second.b}; }

// Inclusive scan over the block.
__device__ Map scan_block(Map own, Map* part) {
  const int t = threadIdx.x;
  part[t] = own;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d) own = then(part[t - d], own);
    __syncthreads();
    part[t] = own;
    __syncthreads();
  }
  return own;
}

__device__ Map load(const unsigned* a, const unsigned* x, int i, int n) {
  return i < n ? Map{a[i], x[i]} : Map{1u, 0u};
}

__global__ void find_totals(const unsigned* a, const unsigned* x, Map* totals, int n) {
  __shared__ Map part[kBlock];
  const Map own = scan_block(load(a, x, blockIdx.x * kBlock + threadIdx.x, n), part);
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

// One block, as many rounds as it takes: totals[b] becomes the map of blocks 0 to b.
__global__ void scan_totals(Map* totals, int blocks) {
  __shared__ Map part[kBlock];
  Map carry = {1u, 0u};
  for (int first = 0; first < blocks; first += kBlock) {
    const int b = first + threadIdx.x;
    const Map own = scan_block(b < blocks ? totals[b] : Map{1u, 0u}, part);
    if (b < blocks) totals[b] = then(carry, own);
    carry = then(carry, part[kBlock - 1]);
    __syncthreads();
  }
}

__global__ void finish(const unsigned* a, unsigned* x, const Map* before, int n, unsigned start) {
  __shared__ Map part[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(load(a, x, i, n), part);
  const unsigned entering = blockIdx.x == 0 ? start : before[blockIdx.x - 1].b;
  if (i < n) x[i] = own(entering);
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  Map* totals = nullptr;
  if (cudaMalloc(&totals, blocks * sizeof(Map)) != cudaSuccess) return;
  find_totals<<<blocks, kBlock>>>(a, x, totals, n);
  scan_totals<<<1, kBlock>>>(totals, blocks);
  finish<<<blocks, kBlock>>>(a, x, totals, n, start);
  cudaFree(totals);
  if (cudaGetLastError() != cudaSuccess) return;
}
