// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block takes all values, 256 at a time.
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

__global__ void compact(const int* values, int* kept, int* count, int n) {
  int place = 0;
  for (int start = 0; start < n; start += kBlock) {
    const int i = start + threadIdx.x;
    const int value = i < n ? values[i] : 0;
    const Ranks ranks = rank_in_block(value > 0);
    if (value > 0) {
      kept[place + ranks.before] = value;
    } else if (i < n) {
      kept[n - 1 - (i - place - ranks.before)] = 0;
    }
    place += ranks.all;
  }
  if (threadIdx.x == 0) *count = place;
}

void compaction(const int* values, int* kept, int* count, int n) {
  compact<<<1, kBlock>>>(values, kept, count, n);
}
