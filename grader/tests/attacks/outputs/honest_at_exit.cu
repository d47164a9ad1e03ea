// lab:     vecadd
// root:    A
// tries:   frees and asks the device in a destructor at the end of the program
// holds:   all of its cases pass
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

struct AtExit {
  ~AtExit() {
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    size_t free_bytes, total;
    cudaMemGetInfo(&free_bytes, &total);
    cudaFree(nullptr);
    cudaGetLastError();
  }
};
static AtExit at_exit;

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
