#include "compaction.h"
#include <cuda_runtime.h>

namespace {
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

__device__ bool is_kept(int x) { return x > 0; }

__global__ void count_blocks(const int* values, int* counts, int n) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  int kept = __syncthreads_count(i < n && is_kept(values[i]));
  if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

// 256 threads walk over the counts, with a carry from round to round
__global__ void scan_blocks(int* counts, int blocks, int* count) {
  __shared__ int part[kThreads];
  int carry = 0;
  for (int base = 0; base < blocks; base += kThreads) {
    int b = base + threadIdx.x;
    int own = b < blocks ? counts[b] : 0;
    part[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < kThreads; d <<= 1) {
      int add = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
      __syncthreads();
      part[threadIdx.x] += add;
      __syncthreads();
    }
    if (b < blocks) counts[b] = carry + part[threadIdx.x] - own;
    carry += part[kThreads - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = carry;
}

__global__ void scatter(const int* values, const int* before, int* kept, int n) {
  __shared__ int warp_kept[kWarps];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int value = i < n ? values[i] : 0;
  const unsigned flags = __ballot_sync(~0u, is_kept(value));
  if (lane == 0) warp_kept[warp] = __popc(flags);
  __syncthreads();
  int place = before[blockIdx.x] + __popc(flags & (0xffffffffu >> (31 - lane)));
  for (int w = 0; w < warp; ++w) place += warp_kept[w];
  if (i >= n) return;
  if (is_kept(value)) {
    kept[place] = value;
  } else {
    kept[n - 1 - (i - place)] = 0;
  }
}
}  // namespace

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof(*count));
    return;
  }
  int blocks = (n + kThreads - 1) / kThreads;
  int* counts;
  cudaMalloc(&counts, sizeof(int) * blocks);
  count_blocks<<<blocks, kThreads>>>(values, counts, n);
  scan_blocks<<<1, kThreads>>>(counts, blocks, count);
  scatter<<<blocks, kThreads>>>(values, counts, kept, n);
  cudaFree(counts);
}
