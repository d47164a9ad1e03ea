#include "reduction.h"
#include <cuda_runtime.h>
#include <float.h>

#define THREADS 256
typedef int T;

__device__ float identity (int op)
{
  float table[4] = { 0.0f, INFINITY, -INFINITY, 1.0f };
  return table[op];
}

__device__ float combine (float a, float b, int op)
{
  if (op == kSum) return a + b;
  if (op == kMin) return min (a, b);
  if (op == kMax) return max (a, b);
  return a * b;
}

__global__ void block_reduce (const float *values, float *results, int n, int op)
{
  __shared__ T s[THREADS];
  int t = threadIdx.x;
  int i = blockIdx.x * THREADS + t;
  s[t] = i < n ? values[i] : identity (op);
  __syncthreads ();
  for (int d = THREADS / 2; d >= 1; d /= 2)
    {
      if (t < d) s[t] = combine (s[t], s[t + d], op);
      __syncthreads ();
    }
  if (t == 0) results[blockIdx.x] = s[0];
}

void reduction (const float *values, float *result, int n, int op)
{
  if (n == 0) return;
  float *a, *b;
  int size = n / THREADS + 1;
  cudaMalloc (&a, size * sizeof (float));
  cudaMalloc (&b, size * sizeof (float));
  const float *in = values;
  while (n > THREADS)
    {
      int blocks = (n + THREADS - 1) / THREADS;
      block_reduce<<<blocks, THREADS>>> (in, a, n, op);
      in = a;
      float *t = a;
      a = b;
      b = t;
      n = blocks;
    }
  block_reduce<<<1, THREADS>>> (in, result, n, op);
  cudaFree (a);
  cudaFree (b);
}
