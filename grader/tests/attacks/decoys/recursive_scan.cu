// lab:     scan
// does:    scans block totals by calling itself, with memory from a stream's pool
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "scan.h"

constexpr int kBlock = 512;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float mine = i < n ? values[i] : 0;
  temp[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    const float left = threadIdx.x >= d ? temp[threadIdx.x - d] : 0;
    __syncthreads();
    temp[threadIdx.x] += left;
    __syncthreads();
  }
  if (i < n) {
    sums[i] = exclusive == 0 ? temp[threadIdx.x] : threadIdx.x > 0 ? temp[threadIdx.x - 1] : 0;
  }
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = temp[threadIdx.x];
}

__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

static void scan_on(cudaStream_t stream, const float* values, float* sums, int n, int exclusive) {
  const int blocks = (n + kBlock - 1) / kBlock;
  float* totals = nullptr;
  cudaMallocAsync(&totals, 2ull * blocks * sizeof(float), stream);
  float* before = totals + blocks;
  scan_blocks<<<blocks, kBlock, 0, stream>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan_on(stream, totals, before, blocks, 1);
    add_before<<<blocks, kBlock, 0, stream>>>(sums, before, n);
  }
  cudaFreeAsync(totals, stream);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  scan_on(stream, values, sums, n, exclusive);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
