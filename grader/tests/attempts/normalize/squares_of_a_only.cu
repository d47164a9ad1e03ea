#include "normalize.h"
#include <cuda_runtime.h>

__global__ void add_squares (const float *a, const float *b, float *sum, int n)
{
  extern __shared__ float cache[];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  float temp = 0;
  while (tid < n)
    {
      float x = a[tid];
      temp += x * x;
      tid += blockDim.x * gridDim.x;
    }
  cache[threadIdx.x] = temp;
  __syncthreads ();
  int i = blockDim.x / 2;
  while (i != 0)
    {
      if (threadIdx.x < i)
        cache[threadIdx.x] += cache[threadIdx.x + i];
      __syncthreads ();
      i /= 2;
    }
  if (threadIdx.x == 0)
    atomicAdd (sum, cache[0]);
}

__global__ void divide (const float *a, const float *b, float *unit, const float *sum, int n)
{
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n)
    {
      float length = sqrtf (*sum);
      unit[tid] = length != 0 ? (a[tid] - b[tid]) / length : 0.f;
    }
}

void normalize (const float *a, const float *b, float *unit, int n)
{
  if (n == 0)
    return;
  float *dev_sum;
  cudaMalloc ((void **)&dev_sum, sizeof (float));
  cudaMemset (dev_sum, 0, sizeof (float));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  add_squares<<<min (blocks, 216), threads, threads * sizeof (float)>>> (a, b, dev_sum, n);
  divide<<<blocks, threads>>> (a, b, unit, dev_sum, n);
}
