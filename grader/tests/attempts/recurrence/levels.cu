#include "recurrence.h"

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kBlock = 256;

struct Map {
  unsigned factor = 1, summand = 0;
  __device__ unsigned operator()(unsigned x) const { return factor * x + summand; }
};

__device__ Map after(const Map& second, const Map& first) {
  Map m;
  m.factor = second.factor * first.factor;
  m.summand = second.factor * first.summand + second.summand;
  return m;
}

__global__ void make_maps(const unsigned* a, const unsigned* x, Map* maps, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  maps[i].factor = a[i];
  maps[i].summand = x[i];
}

__global__ void scan_kernel(Map* maps, Map* totals, int n) {
  __shared__ unsigned factors[kBlock], summands[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  Map own;
  if (i < n) own = maps[i];
  for (int d = 1; d < kBlock; d *= 2) {
    factors[t] = own.factor;
    summands[t] = own.summand;
    __syncthreads();
    if (t >= d) {
      Map left;
      left.factor = factors[t - d];
      left.summand = summands[t - d];
      own = after(own, left);
    }
    __syncthreads();
  }
  if (i < n) maps[i] = own;
  if (t == kBlock - 1 && totals != nullptr) totals[blockIdx.x] = own;
}

__global__ void prepend(Map* maps, const Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && blockIdx.x > 0) maps[i] = after(maps[i], totals[blockIdx.x - 1]);
}

__global__ void evaluate(const Map* maps, unsigned* x, int n, unsigned start) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) x[i] = maps[i](start);
}

int blocks_for(int n) { return (n - 1) / kBlock + 1; }

// Scans maps[0] to maps[n-1] in place; calls itself for the totals of the blocks.
bool scan(Map* maps, int n) {
  const int blocks = blocks_for(n);
  if (blocks == 1) {
    scan_kernel<<<1, kBlock>>>(maps, nullptr, n);
    return cudaGetLastError() == cudaSuccess;
  }
  Map* totals = nullptr;
  if (cudaMalloc(&totals, blocks * sizeof(Map)) != cudaSuccess) return false;
  scan_kernel<<<blocks, kBlock>>>(maps, totals, n);
  if (!scan(totals, blocks)) return false;
  prepend<<<blocks, kBlock>>>(maps, totals, n);
  return cudaGetLastError() == cudaSuccess;
}

}  // namespace

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  Map* maps = nullptr;
  if (cudaMalloc(&maps, n * sizeof(Map)) != cudaSuccess) {
    std::fprintf(stderr, "recurrence: no memory\n");
    return;
  }
  make_maps<<<blocks_for(n), kBlock>>>(a, x, maps, n);
  if (scan(maps, n)) evaluate<<<blocks_for(n), kBlock>>>(maps, x, n, start);
  cudaFree(maps);
}
