// verdict: fails-concept
// pitfall: P66
// caught-by: concept occupancy
// The row is kept in 40 KB of shared memory, however short it is: four blocks fit.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 128;
constexpr int kWarps = kBlock / 32;
constexpr int kMost = 10000;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float warp_max(float value) {
  for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, d));
  return value;
}

__device__ float warp_sum(float value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAllLanes, value, d);
  return value;
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float kept[kMost];
  __shared__ float largest_of[kWarps];
  __shared__ float sum_of[kWarps];
  const int t = threadIdx.x;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;
  float mine = -INFINITY;
  for (int c = t; c < columns; c += kBlock) {
    const float value = in[c];
    if (c < kMost) kept[c] = value;
    mine = fmaxf(mine, value);
  }
  mine = warp_max(mine);
  if (t % 32 == 0) largest_of[t / 32] = mine;
  __syncthreads();
  const float largest = warp_max(largest_of[t % kWarps]);
  mine = 0;
  for (int c = t; c < columns; c += kBlock) mine += expf((c < kMost ? kept[c] : in[c]) - largest);
  mine = warp_sum(mine);
  if (t % 32 == 0) sum_of[t / 32] = mine;
  __syncthreads();
  const float sum = warp_sum(t % 32 < kWarps ? sum_of[t % 32] : 0);
  for (int c = t; c < columns; c += kBlock) {
    out[c] = expf((c < kMost ? kept[c] : in[c]) - largest) / sum;
  }
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
