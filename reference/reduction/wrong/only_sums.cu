// verdict: fails-correctness
// pitfall: none
// caught-by: case "less than a warp"
// Whatever the operation, it adds.
#include "reduction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// out[b] is the combination of block b's share of the values.
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float cache[kBlock];
  int t = threadIdx.x;
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    mine = mine + in[i];
  }
  cache[t] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) cache[t] += cache[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = cache[0];
}

void reduction(const float* values, float* result, int n, int) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  float* partials;
  cudaMalloc(&partials, blocks * sizeof(float));
  reduce<<<blocks, kBlock>>>(values, partials, n);
  reduce<<<1, kBlock>>>(partials, result, blocks);
  cudaFree(partials);
}
