#include "softmax.h"

#include <cuda_runtime.h>

constexpr int kBlock = 128;

// Largest value and sum in one go (online), one block per row.
struct Part {
  float m;  // largest value so far
  float s;  // sum of exp(x - m)
};

__device__ Part join(Part a, Part b) {
  Part r;
  r.m = fmaxf(a.m, b.m);
  r.s = a.s * expf(a.m - r.m) + b.s * expf(b.m - r.m);
  return r;
}

__global__ void softmax_online(const float* in, float* out, int columns) {
  __shared__ Part parts[kBlock];
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* result = out + static_cast<size_t>(blockIdx.x) * columns;

  Part mine = {0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kBlock) mine = join(mine, Part{row[c], 1.0f});

  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + stride]);
    __syncthreads();
  }
  const Part all = parts[0];

  for (int c = threadIdx.x; c < columns; c += kBlock) result[c] = expf(row[c] - all.m) / all.s;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_online<<<rows, kBlock>>>(in, out, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
