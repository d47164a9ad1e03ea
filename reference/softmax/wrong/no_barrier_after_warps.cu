// verdict: fails-safety
// pitfall: P22
// caught-by: finding race-shared
// The warps' results are read before all warps have stored them.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
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

  float mine = -INFINITY;
  for (int c = t; c < columns; c += kBlock) mine = fmaxf(mine, in[c]);
  mine = warp_max(mine);
  if (lane == 0) largest_of[warp] = mine;
  const float largest = warp_max(largest_of[lane % kWarps]);

  mine = 0;
  for (int c = t; c < columns; c += kBlock) mine += expf(in[c] - largest);
  mine = warp_sum(mine);
  if (lane == 0) sum_of[warp] = mine;
  const float sum = warp_sum(lane < kWarps ? sum_of[lane] : 0);

  for (int c = t; c < columns; c += kBlock) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
