#include "attention.h"

#include <cuda_runtime.h>
#include <math.h>

// One warp per query, 16 of them in a block. They share tiles of K and V.
constexpr int kWarps = 16;
constexpr int kKeys = 32;

template <int kDepth>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n,
                       float scale, bool causal) {
  extern __shared__ float shared[];
  float* k_tile = shared;                          // kKeys rows of kDepth + 1
  float* v_tile = shared + kKeys * (kDepth + 1);   // kKeys rows of kDepth
  float* q_rows = v_tile + kKeys * kDepth;         // kWarps rows of kDepth

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int query = blockIdx.x * kWarps + warp;
  const size_t head = (size_t)blockIdx.y * n * kDepth;

  for (int c = lane; c < kDepth; c += 32)
    q_rows[warp * kDepth + c] = query < n ? q[head + (size_t)query * kDepth + c] : 0;

  float largest = -INFINITY, sum = 0;
  float result[kDepth / 32] = {};

  for (int first = 0; first < n; first += kKeys) {
    for (int e = threadIdx.x; e < kKeys * kDepth; e += kWarps * 32) {
      const int r = e / kDepth, c = e % kDepth;
      const bool exists = first + r < n;
      k_tile[r * (kDepth + 1) + c] = exists ? k[head + (size_t)(first + r) * kDepth + c] : 0;
      v_tile[r * kDepth + c] = exists ? v[head + (size_t)(first + r) * kDepth + c] : 0;
    }
    __syncthreads();

    const int key = first + lane;
    float score = 0;
    for (int c = 0; c < kDepth; ++c)
      score += q_rows[warp * kDepth + c] * k_tile[lane * (kDepth + 1) + c];
    score *= scale;
    if (key >= n || (causal && key > query)) score = -INFINITY;

    float now = score;
    for (int d = 16; d > 0; d /= 2) now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, d));
    now = fmaxf(now, largest);
    const float factor = expf(largest - now);
    const float weight = expf(score - now);

    float tile_sum = weight;
    for (int d = 16; d > 0; d /= 2) tile_sum += __shfl_xor_sync(0xffffffff, tile_sum, d);
    sum = sum * factor + tile_sum;

    for (int r = 0; r < kKeys; ++r) {
      const float w = __shfl_sync(0xffffffff, weight, r);
      if (w == 0) continue;
      for (int j = 0; j < kDepth / 32; ++j) result[j] += w * v_tile[r * kDepth + lane + 32 * j];
    }
    largest = now;
    __syncthreads();
  }

  if (query < n)
    for (int j = 0; j < kDepth / 32; ++j)
      out[head + (size_t)query * kDepth + lane + 32 * j] = result[j] / sum;
}

template <int kDepth>
void launch(const float* q, const float* k, const float* v, float* out, int heads, int n,
            float scale, int causal) {
  const size_t bytes = (kKeys * (kDepth + 1) + kKeys * kDepth + kWarps * kDepth) * sizeof(float);
  const dim3 grid((n + kWarps - 1) / kWarps, heads);
  attend<kDepth><<<grid, kWarps * 32, bytes>>>(q, k, v, out, n, scale, causal != 0);
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  if (depth == 64)
    launch<64>(q, k, v, out, heads, n, scale, causal);
  else
    launch<128>(q, k, v, out, heads, n, scale, causal);
  if (cudaGetLastError() != cudaSuccess) return;
}
