// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced
// Each thread takes four neighbours: a warp's loads lie 16 bytes apart.
#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int begin = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int i = begin; i < begin + 4 && i < n; ++i) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

  add<<<(n + 1023) / 1024, 256>>>(d_a, d_b, d_c, n);

  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
