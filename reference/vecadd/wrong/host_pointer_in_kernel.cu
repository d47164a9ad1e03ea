// verdict: fails-safety
// pitfall: P44
// caught-by: finding host-pointer-in-kernel
// The kernel gets the caller's host pointers.
#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  cudaDeviceSynchronize();
}
