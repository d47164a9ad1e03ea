#include "softmax.h"

#include <cuda_runtime.h>
#include <math.h>

constexpr int kBlock = 256;

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float part[kBlock];
  const int t = threadIdx.x;
  in += (size_t)blockIdx.x * columns;
  out += (size_t)blockIdx.x * columns;

  float mine = -INFINITY;
  for (int c = t; c < columns; c += kBlock) mine = fmaxf(mine, in[c]);
  part[t] = mine;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) part[t] = fmaxf(part[t], part[t + d]);
    __syncthreads();
  }
  const float largest = part[0];

  float sum = 0;
  for (int c = t; c < columns; c += kBlock) sum += expf(in[c] - largest);
  part[t] = sum;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  sum = part[0];
  for (int c = t; c < columns; c += kBlock) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
