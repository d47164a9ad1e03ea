// Rung 2: one block per row, two trees.
//
// The threads of a block share a row: neighbouring threads have neighbouring columns, and all
// accesses are coalesced. What they find is combined by a tree in shared memory, once for the
// largest value and once for the sum. Between the two, everyone must have read the first result.
//
// Cost: 3 loads per value, in whole sectors; 19 barriers per row.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float part[kBlock];
  const int t = threadIdx.x;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  float mine = -INFINITY;
  for (int c = t; c < columns; c += kBlock) mine = fmaxf(mine, in[c]);
  part[t] = mine;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] = fmaxf(part[t], part[t + stride]);
    __syncthreads();
  }
  const float largest = part[0];
  __syncthreads();

  mine = 0;
  for (int c = t; c < columns; c += kBlock) mine += expf(in[c] - largest);
  part[t] = mine;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  const float sum = part[0];

  for (int c = t; c < columns; c += kBlock) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
  CHECK(cudaGetLastError());
}
