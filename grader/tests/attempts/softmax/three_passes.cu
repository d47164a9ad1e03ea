#include "softmax.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define FULL 0xffffffff

// a warp per row: no barriers at all. 8 rows per block
__device__ float warpMax(float v) {
  for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, d));
  return v;
}
__device__ float warpSum(float v) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  return v;
}

__global__ void softmaxWarp(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * 8 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;               // whole warps, so this is ok

  const float *x = in + (size_t)row * cols;
  float *y = out + (size_t)row * cols;

  // pass 1: maximum
  float m = -INFINITY;
  for (int j = lane; j < cols; j += 32) m = fmaxf(m, x[j]);
  m = warpMax(m);

  // pass 2: denominator, shifted by the maximum so that it cannot overflow
  float denom = 0.f;
  for (int j = lane; j < cols; j += 32) denom += expf(x[j] - m);
  denom = warpSum(denom);

  // pass 3: normalize
  float inv = 1.f / denom;
  for (int j = lane; j < cols; j += 32) y[j] = expf(x[j]) * inv;
}

void softmax(const float *in, float *out, int rows, int columns) {
  if (rows < 1 || columns < 1) return;
  softmaxWarp<<<(rows + 7) / 8, 256>>>(in, out, rows, columns);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) fprintf(stderr, "softmax: %s\n", cudaGetErrorString(err));
}
