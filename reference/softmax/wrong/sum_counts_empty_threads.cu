// verdict: fails-correctness
// pitfall: P8
// caught-by: case "less than a warp"
// Threads without a value take part in the sum as if they had a 0.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 128;
constexpr int kWarps = kBlock / 32;
constexpr int kMost = 8;  // values per thread that fit into registers
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
  __shared__ float largest_of[kWarps];
  __shared__ float sum_of[kWarps];
  const int t = threadIdx.x;
  const int warp = t / 32;
  const int lane = t % 32;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  float kept[kMost];  // the first values of this thread; longer rows are read again
  float mine = -INFINITY;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    const int c = t + k * kBlock;
    kept[k] = c < columns ? in[c] : -INFINITY;
    mine = fmaxf(mine, kept[k]);
  }
  for (int c = t + kMost * kBlock; c < columns; c += kBlock) mine = fmaxf(mine, in[c]);
  mine = warp_max(mine);
  if (lane == 0) largest_of[warp] = mine;
  __syncthreads();
  const float largest = warp_max(largest_of[lane % kWarps]);

  mine = 0;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    kept[k] = t + k * kBlock < columns ? expf(kept[k] - largest) : 1;
    mine += kept[k];
  }
  for (int c = t + kMost * kBlock; c < columns; c += kBlock) mine += expf(in[c] - largest);
  mine = warp_sum(mine);
  if (lane == 0) sum_of[warp] = mine;
  __syncthreads();
  const float sum = warp_sum(lane < kWarps ? sum_of[lane] : 0);

  const float factor = 1 / sum;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    const int c = t + k * kBlock;
    if (c < columns) out[c] = kept[k] * factor;
  }
  for (int c = t + kMost * kBlock; c < columns; c += kBlock) {
    out[c] = expf(in[c] - largest) * factor;
  }
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
