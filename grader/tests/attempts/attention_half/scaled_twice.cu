#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>

// First version, without tensor cores: one warp per query, online softmax in float.
template <int kDepth>
__global__ void attend(const __half* q, const __half* k, const __half* v, __half* out, int n, float scale,
                       bool causal) {
  constexpr int kMine = kDepth / 32;
  const int lane = threadIdx.x;
  const int query = blockIdx.x * blockDim.y + threadIdx.y;
  if (query >= n) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * n * kDepth;

  float mine[kMine];
  float result[kMine];
#pragma unroll
  for (int c = 0; c < kMine; ++c) {
    mine[c] = (__half2float(q[head + static_cast<size_t>(query) * kDepth + c * 32 + lane]) * scale);
    result[c] = 0.0f;
  }
  float largest = -INFINITY;
  float sum = 0.0f;
  const int keys = causal ? query + 1 : n;
  for (int j = 0; j < keys; ++j) {
    const size_t row = head + static_cast<size_t>(j) * kDepth;
    float dot = 0.0f;
#pragma unroll
    for (int c = 0; c < kMine; ++c) dot += mine[c] * __half2float(k[row + c * 32 + lane]);
    for (int d = 16; d > 0; d /= 2) dot += __shfl_xor_sync(~0u, dot, d);
    const float score = dot * scale;
    const float now = fmaxf(largest, score);
    const float factor = expf(largest - now);
    const float weight = expf(score - now);
    sum = sum * factor + weight;
#pragma unroll
    for (int c = 0; c < kMine; ++c) result[c] = result[c] * factor + weight * __half2float(v[row + c * 32 + lane]);
    largest = now;
  }
#pragma unroll
  for (int c = 0; c < kMine; ++c) {
    out[head + static_cast<size_t>(query) * kDepth + c * 32 + lane] = __float2half(result[c] / sum);
  }
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n, int depth,
                    float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((n + 7) / 8, heads);
  if (depth == 64) {
    attend<64><<<grid, block>>>(q, k, v, out, n, scale, causal != 0);
  } else {
    attend<128><<<grid, block>>>(q, k, v, out, n, scale, causal != 0);
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
