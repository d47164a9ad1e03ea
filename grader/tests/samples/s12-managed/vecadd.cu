#include <cuda_runtime.h>
#include <string.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *ma, *mb, *mc;
  cudaMallocManaged(&ma, n * sizeof(float));
  cudaMallocManaged(&mb, n * sizeof(float));
  cudaMallocManaged(&mc, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    ma[i] = a[i];
    mb[i] = b[i];
  }
  add<<<(n + 255) / 256, 256>>>(ma, mb, mc, n);
  cudaDeviceSynchronize();  // the host may not look before this
  memcpy(c, mc, n * sizeof(float));
  cudaFree(ma);
  cudaFree(mb);
  cudaFree(mc);
}
