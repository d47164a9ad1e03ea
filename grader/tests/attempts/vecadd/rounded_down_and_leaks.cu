#include <stdio.h>

#include "vecadd.h"

#include <cuda_runtime.h>

#define THREADS_PER_BLOCK 256

__global__ void add(const float* a, const float* b, float* c, int n) {
  int tid = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
  if (tid >= n) return;
  c[tid] = a[tid] + b[tid];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *da, *db, *dc;
  int bytes = n * sizeof(float);
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&dc, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);

  int numBlocks = n / THREADS_PER_BLOCK;
  add<<<numBlocks, THREADS_PER_BLOCK>>>(da, db, dc, n);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) {
    printf("Error: %s\n", cudaGetErrorString(err));
  }
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
}
