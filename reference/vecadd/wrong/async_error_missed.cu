// verdict: fails-safety
// pitfall: P42
// caught-by: finding misaligned-global
// The launch is checked at once, before the kernel has had the time to fail.
#include "vecadd.h"

#include <cuda_runtime.h>

#include <cstdio>

// Element 0 apart, then two at a time: but elements 1 and 2 are not aligned as a float2 must be.
__global__ void add(const float* a, const float* b, float* c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 0) c[0] = a[0] + b[0];
  int i = 1 + 2 * t;
  if (i + 1 < n) {
    float2 x = *(const float2*)(a + i);
    float2 y = *(const float2*)(b + i);
    c[i] = x.x + y.x;
    c[i + 1] = x.y + y.y;
  } else if (i < n) {
    c[i] = a[i] + b[i];
  }
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

  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) printf("launch failed: %s\n", cudaGetErrorString(status));

  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
