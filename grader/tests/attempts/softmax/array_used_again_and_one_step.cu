#include "softmax.h"
#include <cuda_runtime.h>

__global__ void softmax_block (const float *in, float *out, int columns)
{
  __shared__ float s[256];
  int t = threadIdx.x;
  in += (size_t) blockIdx.x * columns;
  out += (size_t) blockIdx.x * columns;

  float mine = -INFINITY;
  if (t < columns)
    mine = in[t];
  s[t] = mine;
  __syncthreads ();
  for (int d = 128; d > 0; d >>= 1)
    {
      if (t < d)
        s[t] = fmaxf (s[t], s[t + d]);
      __syncthreads ();
    }
  float m = s[0];

  float sum = 0;
  for (int c = t; c < columns; c += 256)
    sum += expf (in[c] - m);
  s[t] = sum;
  __syncthreads ();
  for (int d = 128; d > 0; d >>= 1)
    {
      if (t < d)
        s[t] += s[t + d];
      __syncthreads ();
    }

  for (int c = t; c < columns; c += 256)
    out[c] = expf (in[c] - m) / s[0];
}

void softmax (const float *in, float *out, int rows, int columns)
{
  if (rows < 1 || columns < 1)
    return;
  softmax_block<<<rows, 256>>> (in, out, columns);
}
