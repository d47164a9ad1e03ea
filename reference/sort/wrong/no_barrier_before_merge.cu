// verdict: fails-safety
// pitfall: P22
// caught-by: finding race-shared
// The warps' counts are read before all warps have stored theirs.
#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kBits = 32;
constexpr unsigned kAllLanes = 0xffffffff;

struct Ranks {
  int before;
  int all;
};

// How many flags are set in the threads before this one, and in the whole block.
__device__ Ranks rank_in_block(bool flag) {
  __shared__ int warp_counts[kWarps];
  const unsigned ballot = __ballot_sync(kAllLanes, flag);
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) warp_counts[warp] = __popc(ballot);
  Ranks ranks = {__popc(ballot & ((1u << threadIdx.x % 32) - 1)), 0};
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) ranks.before += warp_counts[w];
    ranks.all += warp_counts[w];
  }
  return ranks;
}

__device__ bool has_zero(const unsigned* keys, int i, int n, int bit) {
  return i < n && (keys[i] >> bit & 1) == 0;
}

__global__ void count_zeros(const unsigned* keys, int* block_zeros, int n, int bit) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int all = rank_in_block(has_zero(keys, i, n, bit)).all;
  if (threadIdx.x == 0) block_zeros[blockIdx.x] = all;
}

// Exclusive, in place, by one warp, 32 counts at a time.
__global__ void scan_counts(int* block_zeros, int blocks, int* all_zeros) {
  int before = 0;
  for (int start = 0; start < blocks; start += 32) {
    const int b = start + threadIdx.x;
    const int own = b < blocks ? block_zeros[b] : 0;
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(kAllLanes, sum, d);
      if (threadIdx.x >= d) sum += left;
    }
    if (b < blocks) block_zeros[b] = before + sum - own;
    before += __shfl_sync(kAllLanes, sum, 31);
  }
  if (threadIdx.x == 0) *all_zeros = before;
}

__global__ void split(const unsigned* from, unsigned* to, const int* block_places,
                      const int* all_zeros, int n, int bit) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool zero = has_zero(from, i, n, bit);
  const int zeros = block_places[blockIdx.x] + rank_in_block(zero).before;
  if (i < n) to[zero ? zeros : *all_zeros + i - zeros] = from[i];
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  unsigned* scratch = nullptr;
  int* counts = nullptr;
  cudaMalloc(&scratch, n * sizeof(unsigned));
  cudaMalloc(&counts, (blocks + 1) * sizeof(int));
  const unsigned* from = keys;
  for (int bit = 0; bit < kBits; ++bit) {
    unsigned* const to = bit % 2 == 0 ? scratch : sorted;  // the last of an even number: sorted
    count_zeros<<<blocks, kBlock>>>(from, counts, n, bit);
    scan_counts<<<1, 32>>>(counts, blocks, counts + blocks);
    split<<<blocks, kBlock>>>(from, to, counts, counts + blocks, n, bit);
    from = to;
  }
  cudaFree(scratch);
  cudaFree(counts);
}
