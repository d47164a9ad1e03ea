#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarpsPerBlock = kThreads / 32;

__device__ bool wanted(const int* values, int i, int n) { return i < n && values[i] >= 0; }

__global__ void count_block(const int* values, int* counts, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int total = __syncthreads_count(wanted(values, i, n));
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

__global__ void prefix(int* counts, int blocks, int* count) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int c = counts[b];
    counts[b] = sum;
    sum += c;
  }
  *count = sum;
}

__global__ void scatter(const int* values, const int* offsets, int* kept, int n) {
  __shared__ int warp_counts[kWarpsPerBlock];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const bool keep = wanted(values, i, n);
  const unsigned ballot = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) warp_counts[warp] = __popc(ballot);
  __syncthreads();
  int place = offsets[blockIdx.x] + __popc(ballot & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) place += warp_counts[w];
  if (keep) kept[place] = values[i];
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  const int blocks = (n + kThreads - 1) / kThreads;
  int* counts;
  if (cudaMalloc(&counts, blocks * sizeof(int)) != cudaSuccess) return;
  count_block<<<blocks, kThreads>>>(values, counts, n);
  prefix<<<1, 1>>>(counts, blocks, count);
  scatter<<<blocks, kThreads>>>(values, counts, kept, n);
  cudaGetLastError();
  cudaFree(counts);
}
