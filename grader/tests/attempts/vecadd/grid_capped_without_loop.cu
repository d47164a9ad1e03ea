#include "vecadd.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define THREADS 256
#define MAX_BLOCKS 1024

#define CHECK(x)                                                        \
  do {                                                                  \
    cudaError_t e_ = (x);                                               \
    if (e_ != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(e_)); \
  } while (0)

__global__ void add(const float* a, const float* b, float* c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n)
{
  float *d_a, *d_b, *d_c;
  size_t size = n * sizeof(float);
  int blocks;

  if (n <= 0)
    return;

  CHECK(cudaMalloc((void**)&d_a, size));
  CHECK(cudaMalloc((void**)&d_b, size));
  CHECK(cudaMalloc((void**)&d_c, size));
  CHECK(cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_c, 0, size));

  blocks = (n + THREADS - 1) / THREADS;
  if (blocks > MAX_BLOCKS)
    blocks = MAX_BLOCKS;
  add<<<blocks, THREADS>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
