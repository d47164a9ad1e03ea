// verdict: fails-safety
// pitfall: P28
// caught-by: finding barrier-early-exit
// Warps without a query return before the barriers.
#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

constexpr int kWarps = 16;  // queries of a block
constexpr int kKeys = 32;  // of a tile: one for each lane
constexpr int kThreads = 32 * kWarps;

__device__ float warp_max(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

template <int kDepth>
__global__ void __launch_bounds__(kThreads) attend(const float* q, const float* k, const float* v,
                                                   float* out, int n, float scale, bool causal) {
  __shared__ float queries[kWarps][kDepth];
  __shared__ float key_tile[kKeys][kDepth + 1];  // padded: a column is in different banks
  __shared__ float value_tile[kKeys][kDepth];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int top = blockIdx.x * kWarps;
  const int query = top + warp;
  const size_t head = static_cast<size_t>(blockIdx.y) * n;
  if (query >= n) return;
  for (int c = lane; c < kDepth; c += 32) {
    queries[warp][c] = query < n ? q[(head + query) * kDepth + c] : 0;
  }

  float largest = -INFINITY;
  float sum = 0;  // of the weights of this lane's keys
  float result[kDepth / 32] = {};
  const int end = causal ? min(n, top + kWarps) : n;
  for (int first = 0; first < end; first += kKeys) {
    for (int i = threadIdx.x; i < kKeys * kDepth; i += kThreads) {
      const int row = i / kDepth;
      const int c = i % kDepth;
      const bool exists = first + row < n;
      key_tile[row][c] = exists ? k[(head + first + row) * kDepth + c] : 0;
      value_tile[row][c] = exists ? v[(head + first + row) * kDepth + c] : 0;
    }
    __syncthreads();

    float score = 0;
    for (int c = 0; c < kDepth; ++c) score += queries[warp][c] * key_tile[lane][c];
    score *= scale;
    const int key = first + lane;
    if (key >= n || (causal && key > query)) score = -INFINITY;

    // Every query sees key 0, so `now` is not -infinity after the first tile.
    const float now = fmaxf(largest, warp_max(score));
    const float factor = expf(largest - now);
    const float weight = expf(score - now);
    largest = now;
    sum = sum * factor + weight;
    for (float& r : result) r *= factor;
    for (int j = 0; j < kKeys; ++j) {
      const float w = __shfl_sync(~0u, weight, j);
      for (int i = 0; i < kDepth / 32; ++i) result[i] += w * value_tile[j][lane + 32 * i];
    }
    __syncthreads();
  }

  sum = warp_sum(sum);
  if (query < n) {
    for (int i = 0; i < kDepth / 32; ++i) {
      out[(head + query) * kDepth + lane + 32 * i] = result[i] / sum;
    }
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 grid((n + kWarps - 1) / kWarps, heads);
  if (depth == 64) {
    attend<64><<<grid, kThreads>>>(q, k, v, out, n, scale, causal != 0);
  } else {
    attend<128><<<grid, kThreads>>>(q, k, v, out, n, scale, causal != 0);
  }
}
