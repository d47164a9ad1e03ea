#include "attention.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

__global__ void all_scores(const float* q, const float* k, float* scores, int n, int depth,
                           bool causal) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t head = blockIdx.z;
  if (i >= n || j >= n) return;
  const float* query = q + (head * n + i) * depth;
  const float* key = k + (head * n + j) * depth;
  float sum = 0;
  for (int c = 0; c < depth; ++c) sum += query[c] * key[c];
  scores[(head * n + i) * n + j] = causal && j > i ? -INFINITY : sum;
}

__global__ void softmax_rows(float* scores, size_t rows, int n) {
  const size_t row = static_cast<size_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float* score = scores + row * n;
  float largest = -INFINITY;
  for (int j = lane; j < n; j += 32) largest = fmaxf(largest, score[j]);
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  float sum = 0;
  for (int j = lane; j < n; j += 32) sum += expf(score[j] - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int j = lane; j < n; j += 32) score[j] = expf(score[j] - largest) / sum;
}

__global__ void weighted_sums(const float* weights, const float* v, float* out, int n, int depth,
                              float scale) {
  const size_t head = blockIdx.y;
  const size_t row = head * n + blockIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += weights[row * n + j] * v[(head * n + j) * depth + threadIdx.x];
  out[row * depth + threadIdx.x] = scale * sum;
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const size_t rows = static_cast<size_t>(heads) * n;
  float* scores;
  if (cudaMalloc(&scores, rows * n * sizeof(float)) != cudaSuccess) {
    std::fprintf(stderr, "attention: no memory for %d scores of each of %zu queries\n", n, rows);
    std::exit(1);
  }
  const int tiles = (n + 15) / 16;
  all_scores<<<dim3(tiles, tiles, heads), dim3(16, 16)>>>(q, k, scores, n, depth, causal != 0);
  softmax_rows<<<(rows + 7) / 8, 256>>>(scores, rows, n);
  weighted_sums<<<dim3(n, heads), depth>>>(scores, v, out, n, depth, scale);
  cudaFree(scores);
}
