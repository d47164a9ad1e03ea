#include "vecadd.h"
#include <cuda_runtime.h>

__global__ void vector_add (const float *a, const float *b, float *c, int n)
{
  int tid = blockIdx.x * gridDim.x + threadIdx.x;
  if (tid < n)
    c[tid] = a[tid] + b[tid];
}

void vecadd (const float *a, const float *b, float *c, int n)
{
  float *dev_a, *dev_b, *dev_c;
  if (n == 0)
    return;
  cudaMalloc (&dev_a, n * sizeof (float));
  cudaMalloc (&dev_b, n * sizeof (float));
  cudaMalloc (&dev_c, n * sizeof (float));
  cudaMemcpy (dev_a, a, n * sizeof (float), cudaMemcpyHostToDevice);
  cudaMemcpy (dev_b, b, n * sizeof (float), cudaMemcpyHostToDevice);
  vector_add<<<(n + 255) / 256, 256>>> (dev_a, dev_b, dev_c, n);
  cudaMemcpy (c, dev_c, n * sizeof (float), cudaMemcpyDeviceToHost);
  cudaFree (dev_a);
  cudaFree (dev_c);
}
