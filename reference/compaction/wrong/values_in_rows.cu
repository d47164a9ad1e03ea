// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced-loads
// Correct, but a thread has eight adjacent values.
#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kItems = 8;  // adjacent values per thread
constexpr int kTile = kBlock * kItems;

// Inclusive scan over a block's flags: every thread gets the sum up to its own.
__device__ int scan_block(int flag) {
  __shared__ int sums[kBlock];
  const int t = threadIdx.x;
  sums[t] = flag;
  __syncthreads();
  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int left = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  return sums[t];
}

__device__ int count_own(const int* values, int first, int n) {
  int count = 0;
  for (int i = first; i < min(first + kItems, n); ++i) count += values[i] > 0;
  return count;
}

__global__ void count_kept(const int* values, int* block_counts, int n) {
  const int first = blockIdx.x * kTile + threadIdx.x * kItems;
  const int sum = scan_block(count_own(values, first, n));
  if (threadIdx.x == kBlock - 1) block_counts[blockIdx.x] = sum;
}

// Exclusive, in place, by one block, in parts of its size.
__global__ void scan_counts(int* block_counts, int blocks, int* count) {
  __shared__ int before;  // all parts so far
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  for (int start = 0; start < blocks; start += kBlock) {
    const int b = start + threadIdx.x;
    const int own = b < blocks ? block_counts[b] : 0;
    const int sum = scan_block(own);
    if (b < blocks) block_counts[b] = before + sum - own;
    __syncthreads();  // all have read `before`
    if (threadIdx.x == kBlock - 1) before += sum;
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = before;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  const int first = blockIdx.x * kTile + threadIdx.x * kItems;
  const int own = count_own(values, first, n);
  int place = block_places[blockIdx.x] + scan_block(own) - own;
  for (int i = first; i < min(first + kItems, n); ++i) {
    if (values[i] > 0) {
      kept[place++] = values[i];
    } else {
      kept[n - 1 - (i - place)] = 0;
    }
  }
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof *count);
    return;
  }
  const int blocks = (n + kTile - 1) / kTile;
  int* block_counts = nullptr;
  cudaMalloc(&block_counts, blocks * sizeof(int));
  count_kept<<<blocks, kBlock>>>(values, block_counts, n);
  scan_counts<<<1, kBlock>>>(block_counts, blocks, count);
  move<<<blocks, kBlock>>>(values, block_counts, kept, n);
  cudaFree(block_counts);
}
