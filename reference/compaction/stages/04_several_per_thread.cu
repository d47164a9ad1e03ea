// Rung 4: eight values per thread.
//
// A warp takes 256 adjacent values, 32 at a time, so that loads stay coalesced and the ballots come
// in the values' order. A block has one count for 2048 values, and one barrier in each kernel.
//
// Cost: an eighth of the blocks, counts and barriers; 2 loads per value.
#include "compaction.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 8;  // values per thread
constexpr int kTile = kBlock * kItems;  // values per block
constexpr unsigned kAllLanes = 0xffffffff;

// A warp has 32 * kItems adjacent values: lane l has every 32nd of them, from the l-th on.
__device__ int first_of_warp() {
  return blockIdx.x * kTile + threadIdx.x / 32 * 32 * kItems;
}

__device__ void load(const int* values, int n, int (&mine)[kItems]) {
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = first_of_warp() + 32 * k + threadIdx.x % 32;
    mine[k] = i < n ? values[i] : 0;
  }
}

__device__ int count_in_warp(const int (&mine)[kItems]) {
  int count = 0;
#pragma unroll
  for (int k = 0; k < kItems; ++k) count += __popc(__ballot_sync(kAllLanes, mine[k] > 0));
  return count;
}

__global__ void count_kept(const int* values, int* block_counts, int n) {
  __shared__ int warp_counts[kWarps];
  int mine[kItems];
  load(values, n, mine);
  const int count = count_in_warp(mine);
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += warp_counts[w];
  block_counts[blockIdx.x] = sum;
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

// Stores a warp's values: those that are kept from `place` on, zeros from the end.
__device__ void store(const int (&mine)[kItems], int place, int* kept, int n) {
  const unsigned before = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = first_of_warp() + 32 * k + threadIdx.x % 32;
    const unsigned ballot = __ballot_sync(kAllLanes, mine[k] > 0);
    const int own = place + __popc(ballot & before);
    if (mine[k] > 0) {
      kept[own] = mine[k];
    } else if (i < n) {
      kept[n - 1 - (i - own)] = 0;  // i - own values before this one are not kept
    }
    place += __popc(ballot);
  }
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  __shared__ int warp_counts[kWarps];
  int mine[kItems];
  load(values, n, mine);
  const int count = count_in_warp(mine);
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = count;
  __syncthreads();
  int place = block_places[blockIdx.x];
  for (int w = 0; w < threadIdx.x / 32; ++w) place += warp_counts[w];
  store(mine, place, kept, n);
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    CHECK(cudaMemset(count, 0, sizeof *count));
    return;
  }
  const int blocks = (n + kTile - 1) / kTile;
  int* block_counts = nullptr;
  CHECK(cudaMalloc(&block_counts, blocks * sizeof(int)));
  count_kept<<<blocks, kBlock>>>(values, block_counts, n);
  CHECK(cudaGetLastError());
  scan_counts<<<1, kBlock>>>(block_counts, blocks, count);
  CHECK(cudaGetLastError());
  move<<<blocks, kBlock>>>(values, block_counts, kept, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(block_counts));
}
