// lab:     vecadd
// root:    B
// tries:   works on the device in an initializer, prints, and has an exit handler
// holds:   all of its cases pass
// becomes: kept
// flag:    none
// needs:   nvcc

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static int prepare() {
  float* scratch;
  cudaMalloc(&scratch, 256 * sizeof(float));
  add<<<1, 256>>>(scratch, scratch, scratch, 0);
  cudaDeviceSynchronize();
  cudaFree(scratch);
  std::printf("ready\n");
  return std::atexit([] { std::printf("fault at the end\n"); });
}
static const int prepared = prepare();

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
