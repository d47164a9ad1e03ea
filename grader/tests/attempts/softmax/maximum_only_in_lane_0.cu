#include "softmax.h"

#include <cuda_runtime.h>
#include <math_constants.h>

#define WARPS 4
#define FULL 0xffffffffu

// one warp per row
__global__ void softmax_warp(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * WARPS + threadIdx.y;
  if (row >= rows) return;

  const float* src = in + (size_t)row * columns;
  float* dst = out + (size_t)row * columns;

  float best = -CUDART_INF_F;
  for (int c = lane; c < columns; c += 32) best = fmaxf(best, src[c]);
  for (int offset = 16; offset > 0; offset >>= 1)
    best = fmaxf(best, __shfl_down_sync(FULL, best, offset));

  float total = 0.0f;
  for (int c = lane; c < columns; c += 32) total += expf(src[c] - best);
  for (int offset = 16; offset > 0; offset >>= 1)
    total += __shfl_xor_sync(FULL, total, offset);

  for (int c = lane; c < columns; c += 32) dst[c] = expf(src[c] - best) / total;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  dim3 block(32, WARPS);
  int blocks = (rows + WARPS - 1) / WARPS;
  softmax_warp<<<blocks, block>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
