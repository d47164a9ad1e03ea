#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void count_kept(const int* values, int* block_counts, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && values[i] > 0) atomicAdd(&total, 1);
  __syncthreads();
  if (threadIdx.x == 0) block_counts[blockIdx.x] = total;
}

// One thread is enough for the counts.
__global__ void scan_counts(int* block_counts, int blocks, int* count) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int c = block_counts[b];
    block_counts[b] = sum;
    sum += c;
  }
  *count = sum;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  __shared__ int warp_counts[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const bool keep = i < n && values[i] > 0;
  const unsigned flags = __ballot_sync(0xffffffff, keep);
  if (lane == 0) warp_counts[warp] = __popc(flags);
  __syncthreads();
  int place = block_places[blockIdx.x];
  for (int w = 0; w < warp; ++w) place += warp_counts[w];
  place += __popc(flags & ((1u << lane) - 1));
  if (keep) kept[place] = values[i];
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  const int blocks = (n + kBlock - 1) / kBlock;
  int* counts = nullptr;
  cudaMalloc(&counts, blocks * sizeof(int));
  count_kept<<<blocks, kBlock>>>(values, counts, n);
  scan_counts<<<1, 1>>>(counts, blocks, count);
  move<<<blocks, kBlock>>>(values, counts, kept, n);
  if (cudaGetLastError() != cudaSuccess) count = nullptr;
  cudaFree(counts);
}
