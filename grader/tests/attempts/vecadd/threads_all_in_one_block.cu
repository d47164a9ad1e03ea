#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n < 1) return;
  float *da, *db, *dc;
  cudaMalloc(&da, sizeof(float) * n);
  cudaMalloc(&db, sizeof(float) * n);
  cudaMalloc(&dc, sizeof(float) * n);
  cudaMemcpy(da, a, sizeof(float) * n, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof(float) * n, cudaMemcpyHostToDevice);
  add<<<1, n>>>(da, db, dc, n);
  cudaMemcpy(c, dc, sizeof(float) * n, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}
