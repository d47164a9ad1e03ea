#include "attention.h"

#include <cuda_runtime.h>

#include <cstdio>

// One warp per query. The lanes share the columns: lane l has columns l, l + 32, ...
constexpr int kWarps = 8;

__device__ float sum_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
  return x;
}

template <int kDepth>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n,
                       float scale, bool causal) {
  constexpr int kMine = kDepth / 32;
  const int lane = threadIdx.x % 32;
  const int query = blockIdx.x * kWarps + threadIdx.x / 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * n * kDepth;
  if (query >= n) return;  // whole warps, and no barrier in this kernel

  float mine[kMine], result[kMine];
#pragma unroll
  for (int c = 0; c < kMine; ++c) {
    mine[c] = q[head + static_cast<size_t>(query) * kDepth + c * 32 + lane];
    result[c] = 0.0f;
  }

  float largest = -INFINITY, sum = 0.0f;
  const int keys = causal ? query + 1 : n;
  for (int j = 0; j < keys; ++j) {
    const size_t row = head + static_cast<size_t>(j) * kDepth + lane;
    float score = 0.0f;
#pragma unroll
    for (int c = 0; c < kMine; ++c) score += mine[c] * k[row + c * 32];
    score = scale * sum_of_warp(score);

    // online softmax
    const float now = fmaxf(largest, score);
    const float weight = expf(score - now);
    sum = sum * expf(largest - now) + weight;
#pragma unroll
    for (int c = 0; c < kMine; ++c) result[c] += weight * v[row + c * 32];
    largest = now;
  }

#pragma unroll
  for (int c = 0; c < kMine; ++c)
    out[head + static_cast<size_t>(query) * kDepth + c * 32 + lane] = result[c] / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 grid((n + kWarps - 1) / kWarps, heads);
  if (depth == 64)
    attend<64><<<grid, 32 * kWarps>>>(q, k, v, out, n, scale, causal != 0);
  else
    attend<128><<<grid, 32 * kWarps>>>(q, k, v, out, n, scale, causal != 0);
  const cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) std::fprintf(stderr, "attention: %s\n", cudaGetErrorString(e));
}
