#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kColumns = 64;
constexpr int kThreads = 128;

// One block per query: scores in shared memory (at most 8192), then a softmax, then the values.
struct Head {
  const float* q;
  const float* k;
  const float* v;
  float* out;
};

__device__ float block_reduce(float x, float* scratch, bool maximum) {
  scratch[threadIdx.x] = x;
  __syncthreads();
  for (int d = kThreads / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) {
      const float y = scratch[threadIdx.x + d];
      scratch[threadIdx.x] = maximum ? fmaxf(scratch[threadIdx.x], y) : scratch[threadIdx.x] + y;
    }
    __syncthreads();
  }
  const float all = scratch[0];
  __syncthreads();
  return all;
}

__global__ void attend(Head arrays, int n, int depth, float scale, int causal) {
  extern __shared__ float scores[];
  __shared__ float scratch[kThreads];
  const size_t head = static_cast<size_t>(blockIdx.y) * n * depth;
  const int query = blockIdx.x;
  const int keys = causal ? query + 1 : n;
  const float* q = arrays.q + head + static_cast<size_t>(query) * depth;

  float largest = -INFINITY;
  for (int j = threadIdx.x; j < keys; j += kThreads) {
    const float* k = arrays.k + head + static_cast<size_t>(j) * depth;
    float dot = 0;
    for (int c = 0; c < kColumns; ++c) dot += q[c] * k[c];
    scores[j] = scale * dot;
    largest = fmaxf(largest, scores[j]);
  }
  largest = block_reduce(largest, scratch, true);

  float sum = 0;
  for (int j = threadIdx.x; j < keys; j += kThreads) {
    scores[j] = expf(scores[j] - largest);
    sum += scores[j];
  }
  sum = block_reduce(sum, scratch, false);

  for (int c = threadIdx.x; c < depth; c += kThreads) {
    float result = 0;
    for (int j = 0; j < keys; ++j) result += scores[j] * arrays.v[head + static_cast<size_t>(j) * depth + c];
    arrays.out[head + static_cast<size_t>(query) * depth + c] = result / sum;
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n, int depth, float scale,
               int causal) {
  if (heads == 0 || n == 0) return;
  const Head arrays = {q, k, v, out};
  attend<<<dim3(n, heads), kThreads, n * sizeof(float)>>>(arrays, n, depth, scale, causal);
  if (cudaGetLastError() != cudaSuccess) return;
}
