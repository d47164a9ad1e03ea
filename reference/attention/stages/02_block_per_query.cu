// One block per query: its scores stay in shared memory, and one kernel does everything.
#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

__device__ float warp_max(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

// As many threads as columns.
template <int kDepth>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n,
                       float scale, bool causal) {
  constexpr int kWarps = kDepth / 32;
  extern __shared__ float weights[];  // n floats
  __shared__ float query[kDepth];
  __shared__ float largest_of[kWarps];
  __shared__ float sum_of[kWarps];
  const int t = threadIdx.x;
  const int lane = t % 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * n;
  const int keys = causal ? blockIdx.x + 1 : n;
  query[t] = q[(head + blockIdx.x) * kDepth + t];
  __syncthreads();

  float largest = -INFINITY;
  for (int j = t; j < keys; j += kDepth) {
    const float* key = k + (head + j) * kDepth;
    float score = 0;
    for (int c = 0; c < kDepth; ++c) score += query[c] * key[c];
    weights[j] = scale * score;
    largest = fmaxf(largest, weights[j]);
  }
  largest = warp_max(largest);
  if (lane == 0) largest_of[t / 32] = largest;
  __syncthreads();
  largest = warp_max(largest_of[lane % kWarps]);

  float sum = 0;
  for (int j = t; j < keys; j += kDepth) {
    weights[j] = expf(weights[j] - largest);
    sum += weights[j];
  }
  sum = warp_sum(sum);
  if (lane == 0) sum_of[t / 32] = sum;
  __syncthreads();
  sum = warp_sum(lane < kWarps ? sum_of[lane] : 0);

  float result = 0;
  for (int j = 0; j < keys; ++j) result += weights[j] * v[(head + j) * kDepth + t];
  out[(head + blockIdx.x) * kDepth + t] = result / sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 grid(n, heads);
  const size_t bytes = n * sizeof(float);  // 32 KB at most, as n is at most 8192
  if (depth == 64) {
    attend<64><<<grid, 64, bytes>>>(q, k, v, out, n, scale, causal != 0);
  } else {
    attend<128><<<grid, 128, bytes>>>(q, k, v, out, n, scale, causal != 0);
  }
}
