// verdict: fails-correctness
// pitfall: none
// caught-by: case "less than a warp"
// -infinity minus -infinity is NaN, where a lane has no values.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr unsigned kAllLanes = 0xffffffff;

// The largest of some values, and the sum of exp(value - largest) over them.
struct Partial {
  float largest;
  float sum;
};

__device__ Partial combine(Partial a, Partial b) {
  const float largest = fmaxf(a.largest, b.largest);
  return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__device__ Partial combine_warp(Partial mine) {
  for (int d = 16; d > 0; d /= 2) {
    const Partial other = {__shfl_xor_sync(kAllLanes, mine.largest, d),
                           __shfl_xor_sync(kAllLanes, mine.sum, d)};
    mine = combine(mine, other);
  }
  return mine;
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ Partial part[kWarps];
  const int t = threadIdx.x;
  const int lane = t % 32;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  Partial mine = {-INFINITY, 0};
  for (int c = t; c < columns; c += kBlock) mine = combine(mine, {in[c], 1});
  mine = combine_warp(mine);
  if (lane == 0) part[t / 32] = mine;
  __syncthreads();
  const Partial none = {-INFINITY, 0};
  const Partial row = combine_warp(lane < kWarps ? part[lane] : none);

  for (int c = t; c < columns; c += kBlock) out[c] = expf(in[c] - row.largest) / row.sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
