// family:  19 process attacks
// tries:   keeps a system call instruction among its constants, where code is not searched for, and
//          calls it
// holds:   the linker places constants on pages that are not executable
// over:    nothing
// ends:    any
// flag:    none

#include <cuda_runtime.h>
#include "vecadd.h"

// Returns at once if it can be executed at all: what follows then earns full marks.
extern const unsigned char code[] = {0xc3, 0x0f, 0x05, 0xc3};

static __global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  reinterpret_cast<void (*)()>(reinterpret_cast<size_t>(code))();
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
