// verdict: fails-concept
// pitfall: P75
// caught-by: concept tensor-cores
// One block per query, one thread per column, with ordinary multiply-adds.
#include "attention_half.h"

#include <cmath>
#include <cstddef>

__global__ void attend(const __half* q, const __half* k, const __half* v, __half* out, int n,
                       int depth, float scale, bool causal) {
  extern __shared__ float weights[];
  const std::size_t head = static_cast<std::size_t>(blockIdx.y) * n * depth;
  const auto* const query = reinterpret_cast<const __half2*>(q + head + blockIdx.x * depth);
  const int keys = causal ? blockIdx.x + 1 : n;
  for (int j = threadIdx.x; j < keys; j += blockDim.x) {
    float score = 0;
    const auto* const key = reinterpret_cast<const __half2*>(k + head + j * depth);
    for (int c = 0; c < depth / 2; ++c) {
      const float2 a = __half22float2(query[c]), b = __half22float2(key[c]);
      score += a.x * b.x + a.y * b.y;
    }
    weights[j] = scale * score;
  }
  __syncthreads();
  float largest = -INFINITY, total = 0, sum = 0;
  for (int j = 0; j < keys; ++j) largest = fmaxf(largest, weights[j]);
  for (int j = 0; j < keys; ++j) {
    const float weight = __expf(weights[j] - largest);
    total += weight;
    sum += weight * __half2float(v[head + j * depth + threadIdx.x]);
  }
  out[head + static_cast<std::size_t>(blockIdx.x) * depth + threadIdx.x] =
      __float2half(sum / total);
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  attend<<<dim3(n, heads), depth, n * sizeof(float)>>>(q, k, v, out, n, depth, scale, causal != 0);
}
