// verdict: fails-correctness
// pitfall: P13
// caught-by: case "one more than a block"
// Each thread has one column, and longer rows are cut off.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kBlock = 256;

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float part[kBlock];
  const int t = threadIdx.x;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  float mine = -INFINITY;
  if (const int c = t; c < columns) mine = fmaxf(mine, in[c]);
  part[t] = mine;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] = fmaxf(part[t], part[t + stride]);
    __syncthreads();
  }
  const float largest = part[0];
  __syncthreads();

  mine = 0;
  if (const int c = t; c < columns) mine += expf(in[c] - largest);
  part[t] = mine;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  const float sum = part[0];

  if (const int c = t; c < columns) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
