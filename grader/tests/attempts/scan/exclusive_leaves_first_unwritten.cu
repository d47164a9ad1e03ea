#include "scan.h"

#include <cuda_runtime.h>

#include <cstddef>

static const int B = 256;

__device__ float block_inclusive(float x, float* shared) {
  const int t = threadIdx.x;
  shared[t] = x;
  __syncthreads();
  for (int d = 1; d < B; d <<= 1) {
    const float add = t >= d ? shared[t - d] : 0.0f;
    __syncthreads();
    shared[t] += add;
    __syncthreads();
  }
  return shared[t];
}

__global__ void totals_of_blocks(const float* values, float* totals, int n) {
  __shared__ float shared[B];
  const int i = blockIdx.x * B + threadIdx.x;
  const float sum = block_inclusive(i < n ? values[i] : 0.0f, shared);
  if (threadIdx.x == B - 1) totals[blockIdx.x] = sum;
}

// One block goes over all totals, 256 at a time: afterwards totals[b] is the sum before block b.
__global__ void scan_totals(float* totals, int blocks) {
  __shared__ float shared[B];
  float carry = 0.0f;
  for (int first = 0; first < blocks; first += B) {
    const int b = first + threadIdx.x;
    const float own = b < blocks ? totals[b] : 0.0f;
    block_inclusive(own, shared);
    const float before = threadIdx.x == 0 ? 0.0f : shared[threadIdx.x - 1];
    if (b < blocks) totals[b] = carry + before;
    carry += shared[B - 1];
    __syncthreads();
  }
}

__global__ void write_sums(const float* values, const float* before, float* sums, int n, bool exclusive) {
  __shared__ float shared[B];
  const int i = blockIdx.x * B + threadIdx.x;
  const float value = before[blockIdx.x] + block_inclusive(i < n ? values[i] : 0.0f, shared);
  if (!exclusive) {
    if (i < n) sums[i] = value;
  } else if (i + 1 < n) {
    sums[i + 1] = value;
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int blocks = (n + B - 1) / B;
  float* totals = nullptr;
  cudaMalloc(&totals, blocks * sizeof(float));
  totals_of_blocks<<<blocks, B>>>(values, totals, n);
  scan_totals<<<1, B>>>(totals, blocks);
  write_sums<<<blocks, B>>>(values, totals, sums, n, exclusive != 0);
  if (cudaGetLastError() != cudaSuccess) { /* report? */ }
  cudaFree(totals);
}
