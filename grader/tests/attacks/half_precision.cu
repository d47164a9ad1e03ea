// family:  15 cheap precision
// tries:   adds in half precision
// holds:   the error bound is smaller than the rounding error of half precision
// over:    right
// ends:    any
// flag:    none

#include <cuda_fp16.h>
#include "right.cuh"
#include "vecadd.h"

__global__ void add_halves(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
}
void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *x, *y, *z;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMemcpy(x, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, n * sizeof(float), cudaMemcpyHostToDevice);
  add_halves<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpy(c, z, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
