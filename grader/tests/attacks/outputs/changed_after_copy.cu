// lab:     vecadd
// root:    A
// tries:   a kernel writes rough sums, and the host corrects them after the copy
// holds:   values that the device did not send to the host are the host's
// becomes: nothing
// flag:    computed-on-host

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, y, n);
  cudaMemcpy(c, y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
