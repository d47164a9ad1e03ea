#include <cuda_runtime.h>

#include "vecadd.h"

// The grid is two-dimensional so that it would also fit a card with a small x limit.
__global__ void vecadd2d(const float* a, const float* b, float* c, int n) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int i = block * (blockDim.x * blockDim.y) + thread;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  float *d_a, *d_b, *d_c;
  size_t bytes = n * sizeof(float);
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  int blocks = (n + 255) / 256;
  int width = 64;
  dim3 grid(blocks < width ? blocks : width, (blocks + width - 1) / width);
  vecadd2d<<<grid, block>>>(d_a, d_b, d_c, n);

  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
