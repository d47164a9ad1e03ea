// verdict: fails-concept
// pitfall: P69
// caught-by: concept conflict-free
// Correct, but 32 lanes read a column of the tile from one bank.
#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

constexpr int kWarps = 8;
constexpr int kEach = 4;  // queries of a warp
constexpr int kQueries = kEach * kWarps;  // of a block
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
  // K and V of a tile, one after the other: both do not fit beside 32 queries of 128 floats.
  __shared__ float tile[kKeys][kDepth];
  __shared__ float4 queries[kWarps][kDepth];
  __shared__ float4 weights[kWarps][kKeys];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int top = blockIdx.x * kQueries;
  const int query = top + kEach * warp;  // the first of four
  const size_t head = static_cast<size_t>(blockIdx.y) * n;
  const auto load_tile = [&](const float* from, int first) {
    for (int i = threadIdx.x; i < kKeys * kDepth; i += kThreads) {
      const int row = first + i / kDepth;
      tile[i / kDepth][i % kDepth] = row < n ? from[(head + row) * kDepth + i % kDepth] : 0;
    }
  };
  const auto query_at = [&](int which, int c) {
    return query + which < n ? q[(head + query + which) * kDepth + c] : 0;
  };
  for (int c = lane; c < kDepth; c += 32) {
    queries[warp][c] = {query_at(0, c), query_at(1, c), query_at(2, c), query_at(3, c)};
  }

  float largest[kEach] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  float sum[kEach] = {};
  float result[kEach][kDepth / 32] = {};
  const int end = causal ? min(n, top + kQueries) : n;
  for (int first = 0; first < end; first += kKeys) {
    load_tile(k, first);
    __syncthreads();

    float score[kEach] = {};
    for (int c = 0; c < kDepth; ++c) {
      const float key = tile[lane][c];
      const float4 of = queries[warp][c];
      score[0] += of.x * key;
      score[1] += of.y * key;
      score[2] += of.z * key;
      score[3] += of.w * key;
    }
    const int key = first + lane;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      score[e] = key >= n || (causal && key > query + e) ? -INFINITY : scale * score[e];
      const float now = fmaxf(largest[e], warp_max(score[e]));
      const float factor = expf(largest[e] - now);
      score[e] = expf(score[e] - now);
      largest[e] = now;
      sum[e] = sum[e] * factor + score[e];
      for (float& r : result[e]) r *= factor;
    }
    weights[warp][lane] = {score[0], score[1], score[2], score[3]};
    __syncthreads();  // K has been read by all

    load_tile(v, first);
    __syncthreads();
    for (int j = 0; j < kKeys; ++j) {
      const float4 weight = weights[warp][j];
#pragma unroll
      for (int i = 0; i < kDepth / 32; ++i) {
        const float value = tile[j][lane + 32 * i];
        result[0][i] += weight.x * value;
        result[1][i] += weight.y * value;
        result[2][i] += weight.z * value;
        result[3][i] += weight.w * value;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    sum[e] = warp_sum(sum[e]);
    if (query + e >= n) continue;
#pragma unroll
    for (int i = 0; i < kDepth / 32; ++i) {
      out[(head + query + e) * kDepth + lane + 32 * i] = result[e][i] / sum[e];
    }
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 grid((n + kQueries - 1) / kQueries, heads);
  if (depth == 64) {
    attend<64><<<grid, kThreads>>>(q, k, v, out, n, scale, causal != 0);
  } else {
    attend<128><<<grid, kThreads>>>(q, k, v, out, n, scale, causal != 0);
  }
}
