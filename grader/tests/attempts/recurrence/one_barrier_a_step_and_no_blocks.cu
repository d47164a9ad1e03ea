#include "recurrence.h"

#include <cuda_runtime.h>

#define BLOCK 256

struct Map {
  unsigned a;
  unsigned b;
};

__device__ Map combine(Map first, Map second) {
  Map m;
  m.a = second.a * first.a;
  m.b = second.a * first.b + second.b;
  return m;
}

__global__ void scan_blocks(const unsigned* a, const unsigned* x, Map* maps, Map* totals, int n) {
  __shared__ Map part[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  Map m = {1, 0};
  if (i < n) {
    m.a = a[i];
    m.b = x[i];
  }
  part[t] = m;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    if (t >= d) part[t] = combine(part[t - d], part[t]);
    __syncthreads();
  }
  if (i < n) maps[i] = part[t];
  if (t == BLOCK - 1) totals[blockIdx.x] = part[t];
}

// x before each block, one block after the other
__global__ void chain(const Map* totals, unsigned* entering, int blocks, unsigned start) {
  unsigned x = start;
  for (int b = 0; b < blocks; b++) {
    entering[b] = x;
    x = totals[b].a * x + totals[b].b;
  }
}

__global__ void apply(const Map* maps, const unsigned* entering, unsigned* x, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) x[i] = maps[i].a * entering[blockIdx.x] + maps[i].b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  Map *maps, *totals;
  unsigned* entering;
  cudaMalloc(&maps, n * sizeof(Map));
  cudaMalloc(&totals, blocks * sizeof(Map));
  cudaMalloc(&entering, blocks * sizeof(unsigned));
  scan_blocks<<<blocks, BLOCK>>>(a, x, maps, totals, n);
  chain<<<1, 1>>>(totals, entering, blocks, start);
  apply<<<blocks, BLOCK>>>(maps, entering, x, n);
  if (cudaGetLastError() != cudaSuccess) { }
  cudaFree(maps);
  cudaFree(totals);
  cudaFree(entering);
}
