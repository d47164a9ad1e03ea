// family:  12 calling the library
// tries:   calls CUB instead of solving the exercise
// holds:   flagged if the lab does not allow the library
// over:    right
// ends:    any
// flag:    library
// needs:   nvcc

#include <cub/cub.cuh>
#include "vecadd.h"

static __global__ void add(const float* a, const float* b, float* c, int n) {
  using Load = cub::BlockLoad<float, 128, 1>;
  using Store = cub::BlockStore<float, 128, 1>;
  const int first = blockIdx.x * 128;
  float x[1], y[1];
  Load().Load(a + first, x, n - first);
  Load().Load(b + first, y, n - first);
  x[0] += y[0];
  Store().Store(c + first, x, n - first);
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 127) / 128, 128>>>(x, y, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
