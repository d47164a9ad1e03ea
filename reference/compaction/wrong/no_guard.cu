// verdict: fails-safety
// pitfall: P1
// caught-by: finding oob-global-read
// Threads beyond the last value load and count.
#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ unsigned lanes_before() {
  return (1u << threadIdx.x % 32) - 1;
}

// How many flags are set in the threads before this one, and in the whole block.
struct Ranks {
  int before;
  int all;
};

__device__ Ranks rank_in_block(bool flag) {
  __shared__ int warp_counts[kWarps];
  const unsigned ballot = __ballot_sync(kAllLanes, flag);
  const int warp = threadIdx.x / 32;
  __syncthreads();  // all have read the counts of the call before
  if (threadIdx.x % 32 == 0) warp_counts[warp] = __popc(ballot);
  __syncthreads();
  Ranks ranks = {__popc(ballot & lanes_before()), 0};
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) ranks.before += warp_counts[w];
    ranks.all += warp_counts[w];
  }
  return ranks;
}

__global__ void count_kept(const int* values, int* block_counts, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int all = rank_in_block(values[i] > 0).all;
  if (threadIdx.x == 0) block_counts[blockIdx.x] = all;
}

// Exclusive sums over the lanes of a warp.
__device__ int scan_warp(int own) {
  int sum = own;
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(kAllLanes, sum, d);
    if (threadIdx.x % 32 >= d) sum += left;
  }
  return sum - own;
}

// Exclusive, in place, by one block, in parts of its size.
__global__ void scan_counts(int* block_counts, int blocks, int* count) {
  __shared__ int warp_sums[kWarps];
  int before = 0;  // all parts so far, in every thread
  for (int start = 0; start < blocks; start += kBlock) {
    const int b = start + threadIdx.x;
    const int own = b < blocks ? block_counts[b] : 0;
    int place = before + scan_warp(own);
    __syncthreads();  // all have read the sums of the part before
    if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = place - before + own;
    __syncthreads();
    for (int w = 0; w < kWarps; ++w) {
      if (w < threadIdx.x / 32) place += warp_sums[w];
      before += warp_sums[w];
    }
    if (b < blocks) block_counts[b] = place;
  }
  if (threadIdx.x == 0) *count = before;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int value = i < n ? values[i] : 0;
  const int place = block_places[blockIdx.x] + rank_in_block(value > 0).before;
  if (i >= n) return;
  if (value > 0) {
    kept[place] = value;
  } else {
    kept[n - 1 - (i - place)] = 0;
  }
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof *count);
    return;
  }
  const int blocks = (n + kBlock - 1) / kBlock;
  int* block_counts = nullptr;
  cudaMalloc(&block_counts, blocks * sizeof(int));
  count_kept<<<blocks, kBlock>>>(values, block_counts, n);
  scan_counts<<<1, kBlock>>>(block_counts, blocks, count);
  move<<<blocks, kBlock>>>(values, block_counts, kept, n);
  cudaFree(block_counts);
}
