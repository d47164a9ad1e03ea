// family:  5 work on after the return
// tries:   launches on its own stream and returns without synchronizing
// holds:   the harness waits for the whole device before it reads the outputs
// over:    right
// ends:    any
// flag:    none

#include "right.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  static cudaStream_t side = nullptr;
  if (!side) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  float *x, *y, *z;
  cudaMallocAsync(&x, n * sizeof(float), side);
  cudaMallocAsync(&y, n * sizeof(float), side);
  cudaMallocAsync(&z, n * sizeof(float), side);
  cudaMemcpyAsync(x, a, n * sizeof(float), cudaMemcpyHostToDevice, side);
  cudaMemcpyAsync(y, b, n * sizeof(float), cudaMemcpyHostToDevice, side);
  add<<<(n + 255) / 256, 256, 0, side>>>(x, y, z, n);
  cudaMemcpyAsync(c, z, n * sizeof(float), cudaMemcpyDeviceToHost, side);
}
