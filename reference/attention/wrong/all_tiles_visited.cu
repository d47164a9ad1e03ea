// verdict: fails-concept
// pitfall: P75
// caught-by: concept half
// Correct, but tiles that no query of the block sees are loaded and computed.
#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

constexpr int kAcross = 16;  // threads with the same queries
constexpr int kDown = 16;
constexpr int kThreads = kAcross * kDown;
constexpr int kEach = 2;  // queries of a thread
constexpr int kQueries = kEach * kDown;  // of a block
constexpr int kKeys = 32;  // of a tile
constexpr int kPad = 4;  // keeps rows aligned to 16 bytes, and in different banks

__device__ float4 read4(const float& from) {
  return *reinterpret_cast<const float4*>(&from);
}

// Thread (tx, ty) has the queries ty and ty + 16, and the keys tx and tx + 16 of a tile.
template <int kDepth>
__global__ void __launch_bounds__(kThreads) attend(const float* q, const float* k, const float* v,
                                                   float* out, int n, float scale, bool causal) {
  __shared__ __align__(16) float queries[kQueries][kDepth + kPad];
  __shared__ __align__(16) float tile[kKeys][kDepth + kPad];  // of K, and then of V
  __shared__ __align__(16) float weights[kQueries][kKeys + kPad];
  const int tx = threadIdx.x % kAcross;
  const int ty = threadIdx.x / kAcross;
  const int top = blockIdx.x * kQueries;
  const size_t head = static_cast<size_t>(blockIdx.y) * n;
  const auto load_rows = [&](float(*to)[kDepth + kPad], const float* from, int first) {
#pragma unroll
    for (int i = threadIdx.x; i < 32 * kDepth; i += kThreads) {
      const int row = first + i / kDepth;
      to[i / kDepth][i % kDepth] = row < n ? from[(head + row) * kDepth + i % kDepth] : 0;
    }
  };
  load_rows(queries, q, top);

  float largest[kEach] = {-INFINITY, -INFINITY};
  float sum[kEach] = {};  // of the weights of this thread's keys
  float result[kEach][kDepth / kAcross] = {};  // columns 4 tx, ..., 4 tx + 3, and 64 further
  const int end = n;
  for (int first = 0; first < end; first += kKeys) {
    load_rows(tile, k, first);
    __syncthreads();

    float score[kEach][2] = {};
#pragma unroll
    for (int c = 0; c < kDepth; c += 4) {
      const float4 key[2] = {read4(tile[tx][c]), read4(tile[tx + kAcross][c])};
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const float4 query = read4(queries[ty + r * kDown][c]);
#pragma unroll
        for (int s = 0; s < 2; ++s) {
          score[r][s] += query.x * key[s].x;  // four multiply-adds
          score[r][s] += query.y * key[s].y;
          score[r][s] += query.z * key[s].z;
          score[r][s] += query.w * key[s].w;
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
      const int query = top + ty + r * kDown;
      float now = largest[r];
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        const int key = first + tx + s * kAcross;
        score[r][s] = key >= n || (causal && key > query) ? -INFINITY : scale * score[r][s];
        now = fmaxf(now, score[r][s]);
      }
      for (int d = kAcross / 2; d > 0; d /= 2) now = fmaxf(now, __shfl_xor_sync(~0u, now, d));
      const float factor = expf(largest[r] - now);
      largest[r] = now;
      sum[r] *= factor;
      for (float& x : result[r]) x *= factor;
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        const float weight = expf(score[r][s] - now);
        sum[r] += weight;
        weights[ty + r * kDown][tx + s * kAcross] = weight;
      }
    }
    __syncthreads();  // the keys have been read, the weights written

    load_rows(tile, v, first);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kKeys; j += 4) {
      float4 weight[kEach];
#pragma unroll
      for (int r = 0; r < kEach; ++r) weight[r] = read4(weights[ty + r * kDown][j]);
#pragma unroll
      for (int c = 0; c < kDepth / kAcross; c += 4) {
        const int column = 4 * tx + c * kAcross;
        const float4 value[4] = {read4(tile[j][column]), read4(tile[j + 1][column]),
                                 read4(tile[j + 2][column]), read4(tile[j + 3][column])};
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
          const float w[4] = {weight[r].x, weight[r].y, weight[r].z, weight[r].w};
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            result[r][c] += w[i] * value[i].x;
            result[r][c + 1] += w[i] * value[i].y;
            result[r][c + 2] += w[i] * value[i].z;
            result[r][c + 3] += w[i] * value[i].w;
          }
        }
      }
    }
    __syncthreads();
  }

  // Through shared memory, so that neighboring threads store neighboring floats.
#pragma unroll
  for (int r = 0; r < kEach; ++r) {
    for (int d = kAcross / 2; d > 0; d /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], d);
#pragma unroll
    for (int c = 0; c < kDepth / kAcross; ++c) {
      queries[ty + r * kDown][4 * tx + c / 4 * 4 * kAcross + c % 4] = result[r][c] / sum[r];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kQueries * kDepth; i += kThreads) {
    const int row = top + i / kDepth;
    if (row < n) out[(head + row) * kDepth + i % kDepth] = queries[i / kDepth][i % kDepth];
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
