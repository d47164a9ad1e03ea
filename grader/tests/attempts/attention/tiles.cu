#include "attention.h"

#include <cuda_runtime.h>

// softmax(Q K^T / sqrt(d)) V, tiles of 32 keys in shared memory, a warp per query, 16 queries per block.

constexpr int kQueries = 16;
constexpr int kKeys = 32;

template <int D>
struct Shared {
  float k[kKeys][D + 1];
  float q[kQueries][D];
};

__device__ inline float warp_max(float x) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}
__device__ inline float warp_sum(float x) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

template <int D>
__global__ void flash(const float* __restrict__ q, const float* __restrict__ k,
                      const float* __restrict__ v, float* __restrict__ out, int n, float scale,
                      int causal) {
  __shared__ Shared<D> s;
  constexpr int kColumns = D / 32;

  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int query = blockIdx.x * kQueries + warp;
  const size_t head = (size_t)blockIdx.y * n * D;
  const bool exists = query < n;
  const float factor = rsqrtf((float)D);  // 1 / sqrt(depth)

#pragma unroll
  for (int c = 0; c < kColumns; ++c)
    s.q[warp][c * 32 + lane] = exists ? q[head + (size_t)query * D + c * 32 + lane] : 0.0f;

  float largest = -INFINITY, sum = 0.0f, acc[kColumns] = {};

  const int last_query = min(n, (blockIdx.x + 1) * kQueries);  // one after the last
  const int end = causal ? last_query : n;
  for (int first = 0; first < end; first += kKeys) {
    __syncthreads();
    for (int e = threadIdx.x; e < kKeys * D; e += kQueries * 32) {
      const int key = e / D, c = e % D;
      s.k[key][c] = first + key < n ? k[head + (size_t)(first + key) * D + c] : 0.0f;
    }
    __syncthreads();

    const int key = first + lane;
    float score = 0.0f;
    for (int c = 0; c < D; ++c) score += s.q[warp][c] * s.k[lane][c];
    score *= factor;
    if (key >= n || (causal && key > query)) score = -INFINITY;

    const float now = fmaxf(largest, warp_max(score));
    const float correction = expf(largest - now);
    const float weight = expf(score - now);
    sum = sum * correction + warp_sum(weight);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) acc[c] *= correction;
    const int here = min(kKeys, n - first);
    for (int j = 0; j < here; ++j) {
      const float w = __shfl_sync(~0u, weight, j);
#pragma unroll
      for (int c = 0; c < kColumns; ++c)
        acc[c] += w * v[head + (size_t)(first + j) * D + c * 32 + lane];
    }
    largest = now;
  }

  if (exists) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      out[head + (size_t)query * D + c * 32 + lane] = acc[c] / sum;
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  dim3 grid((n + kQueries - 1) / kQueries, heads);
  switch (depth) {
    case 64: flash<64><<<grid, kQueries * 32>>>(q, k, v, out, n, scale, causal); break;
    case 128: flash<128><<<grid, kQueries * 32>>>(q, k, v, out, n, scale, causal); break;
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
