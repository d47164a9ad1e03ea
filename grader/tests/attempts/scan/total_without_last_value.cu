#include "scan.h"
#include <cuda_runtime.h>

#define SIZE 256

// Blelloch: up-sweep, down-sweep
__global__ void blelloch(const float *values, float *sums, float *totals, int n, int exclusive)
{
  __shared__ float x[SIZE];
  int tid = threadIdx.x;
  int i = blockIdx.x * SIZE + tid;
  float v = 0.0f;
  if (i < n) v = values[i];
  x[tid] = v;

  // up
  for (int stride = 1; stride < SIZE; stride *= 2) {
    __syncthreads();
    int index = (tid + 1) * 2 * stride - 1;
    if (index < SIZE) x[index] += x[index - stride];
  }
  __syncthreads();
  if (tid == 0) x[SIZE - 1] = 0;

  // down
  for (int stride = SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    int index = (tid + 1) * 2 * stride - 1;
    if (index < SIZE) {
      float t = x[index - stride];
      x[index - stride] = x[index];
      x[index] += t;
    }
  }
  __syncthreads();

  float before_me = x[tid];
  if (i < n) sums[i] = exclusive ? before_me : before_me + v;
  if (tid == SIZE - 1 && totals != nullptr) totals[blockIdx.x] = x[tid];
}

__global__ void add_before(float *sums, const float *before, int n)
{
  int i = blockIdx.x * SIZE + threadIdx.x;
  if (blockIdx.x > 0 && i < n) sums[i] += before[blockIdx.x];
}

void scan(const float *values, float *sums, int n, int exclusive)
{
  if (n <= 0) return;
  int blocks = (n - 1) / SIZE + 1;
  if (blocks == 1) {
    blelloch<<<1, SIZE>>>(values, sums, nullptr, n, exclusive);
    cudaGetLastError();
    return;
  }
  float *totals;
  float *before;
  cudaMalloc((void **)&totals, sizeof(float) * blocks);
  cudaMalloc((void **)&before, sizeof(float) * blocks);
  blelloch<<<blocks, SIZE>>>(values, sums, totals, n, exclusive);
  scan(totals, before, blocks, 1);
  add_before<<<blocks, SIZE>>>(sums, before, n);
  cudaGetLastError();
  cudaFree(totals);
  cudaFree(before);
}
