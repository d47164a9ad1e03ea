#include "reduction.h"

#include <cuda_runtime.h>

__device__ float apply(float x, float y, int op) {
  switch (op) {
    case 0: return x + y;
    case 1: return fminf(x, y);
    case 2: return fmaxf(x, y);
  }
  return x * y;
}

__global__ void reduce(const float* in, float* out, int n, int op) {
  __shared__ float s[256];
  float mine = 0;  // nothing yet
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    mine = apply(mine, in[i], op);
  s[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] = apply(s[threadIdx.x], s[threadIdx.x + d], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  float* partial;
  cudaMalloc(&partial, 256 * sizeof(float));
  reduce<<<256, 256>>>(values, partial, n, op);
  reduce<<<1, 256>>>(partial, result, 256, op);
  cudaFree(partial);
}
