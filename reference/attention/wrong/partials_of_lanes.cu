// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// -infinity minus -infinity is NaN, where a lane has no key.
#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

// One warp per query. Each lane keeps the largest score and the sum of its own keys, and the
// weights are computed again for the results.
template <int kDepth>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n,
                       float scale, bool causal) {
  const int lane = threadIdx.x;
  const size_t head = static_cast<size_t>(blockIdx.y) * n;
  const int keys = causal ? blockIdx.x + 1 : n;
  q += (head + blockIdx.x) * kDepth;
  const auto score_of = [&](int j) {
    float score = 0;
    for (int c = 0; c < kDepth; ++c) score += q[c] * k[(head + j) * kDepth + c];
    return scale * score;
  };

  float largest = -INFINITY;
  float sum = 0;
  for (int j = lane; j < keys; j += 32) {
    const float score = score_of(j);
    const float now = fmaxf(largest, score);
    sum = sum * expf(largest - now) + expf(score - now);
    largest = now;
  }
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(~0u, largest, d);
    const float other_sum = __shfl_xor_sync(~0u, sum, d);
    const float now = fmaxf(largest, other);
    sum = sum * expf(largest - now) + other_sum * expf(other - now);
    largest = now;
  }
  float result[kDepth / 32] = {};
  for (int j = 0; j < keys; ++j) {
    const float weight = expf(score_of(j) - largest);
    for (int i = 0; i < kDepth / 32; ++i)
      result[i] += weight * v[(head + j) * kDepth + lane + 32 * i];
  }
  for (int i = 0; i < kDepth / 32; ++i) {
    out[(head + blockIdx.x) * kDepth + lane + 32 * i] = result[i] / sum;
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const dim3 grid(n, heads);
  if (depth == 64) {
    attend<64><<<grid, 32>>>(q, k, v, out, n, scale, causal != 0);
  } else {
    attend<128><<<grid, 32>>>(q, k, v, out, n, scale, causal != 0);
  }
}
