#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>

// Simple first: a block per query, the scores of all keys in shared memory, everything in float.
#define NT 128

__device__ float everyone(float x, bool maximum, float* buf) {
  int t = threadIdx.x;
  buf[t] = x;
  __syncthreads();
  for (int d = NT / 2; d > 0; d >>= 1) {
    if (t < d) buf[t] = maximum ? fmaxf(buf[t], buf[t + d]) : buf[t] + buf[t + d];
    __syncthreads();
  }
  float r = buf[0];
  __syncthreads();
  return r;
}

__global__ void attend(const __half* q, const __half* k, const __half* v, __half* out, int n,
                       int depth, float scale, int causal) {
  extern __shared__ float score[];
  __shared__ float buf[NT];
  __shared__ float query[128];

  int i = blockIdx.x;
  int t = threadIdx.x;
  size_t head = (size_t)blockIdx.y * n * depth;
  q += head;
  k += head;
  out += head;

  for (int c = t; c < depth; c += NT) query[c] = __half2float(q[(size_t)i * depth + c]);
  __syncthreads();

  int keys = causal ? i + 1 : n;
  float m = -INFINITY;
  for (int j = t; j < keys; j += NT) {
    float s = 0;
    for (int c = 0; c < depth; c++) s += query[c] * __half2float(k[(size_t)j * depth + c]);
    score[j] = s * scale;
    m = fmaxf(m, score[j]);
  }
  m = everyone(m, true, buf);

  float total = 0;
  for (int j = t; j < keys; j += NT) {
    score[j] = expf(score[j] - m);
    total += score[j];
  }
  total = everyone(total, false, buf);

  for (int c = t; c < depth; c += NT) {
    float o = 0;
    for (int j = 0; j < keys; j++) o += score[j] * __half2float(v[(size_t)j * depth + c]);
    out[(size_t)i * depth + c] = __float2half(o / total);
  }
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  attend<<<dim3(n, heads), NT, n * sizeof(float)>>>(q, k, v, out, n, depth, scale, causal);
  if (cudaGetLastError() != cudaSuccess) return;
}
