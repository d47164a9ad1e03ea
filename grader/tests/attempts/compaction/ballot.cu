#include "compaction.h"

#include <cuda_runtime.h>

// Places by ballot. 8 warps per block.
constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;

__device__ int before_in_block(bool keep, int* warp_counts, int* block_count) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const unsigned flags = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) warp_counts[warp] = __popc(flags);
  __syncthreads();
  int before = __popc(flags & ((1u << lane) - 1u));
  int all = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += warp_counts[w];
    all += warp_counts[w];
  }
  *block_count = all;
  return before;
}

__global__ void count_kernel(const int* values, int* counts, int n) {
  __shared__ int warp_counts[kWarps];
  const long long i = (long long)blockIdx.x * kBlock + threadIdx.x;
  int all;
  before_in_block(i < n && values[i] > 0, warp_counts, &all);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// One thread is slow but there are not many blocks.
__global__ void prefix_kernel(int* counts, int blocks, int* count) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int c = counts[b];
    counts[b] = sum;
    sum += c;
  }
  *count = sum;
}

__global__ void move_kernel(const int* values, const int* places, int* kept, int n) {
  __shared__ int warp_counts[kWarps];
  const long long i = (long long)blockIdx.x * kBlock + threadIdx.x;
  const int value = i < n ? values[i] : 0;
  int unused;
  const int place = places[blockIdx.x] + before_in_block(value > 0, warp_counts, &unused);
  if (i < n) {
    if (value > 0) {
      kept[place] = value;
    } else {
      kept[n - ((int)i - place)] = 0;  // zeros are filled in from the end
    }
  }
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(int));
    return;
  }
  const int blocks = (n - 1) / kBlock + 1;
  int* counts = nullptr;
  if (cudaMalloc(&counts, blocks * sizeof(int)) != cudaSuccess) return;
  count_kernel<<<blocks, kBlock>>>(values, counts, n);
  prefix_kernel<<<1, 1>>>(counts, blocks, count);
  move_kernel<<<blocks, kBlock>>>(values, counts, kept, n);
  if (cudaGetLastError() != cudaSuccess) { /* reported by the next call */ }
  cudaFree(counts);
}
