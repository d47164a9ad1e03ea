// lab:     vecadd
// does:    hands its inputs to kernels as arguments
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstring>

#include "vecadd.h"

struct Part {
  float a[400], b[400];
};

__global__ void add(Part part, float* c, int count) {
  const int i = threadIdx.x;
  if (i < count) c[i] = part.a[i] + part.b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* z;
  cudaMalloc(&z, bytes);
  for (int first = 0; first < n; first += 400) {
    const int count = n - first < 400 ? n - first : 400;
    Part part;
    memcpy(part.a, a + first, count * sizeof(float));
    memcpy(part.b, b + first, count * sizeof(float));
    add<<<1, 416>>>(part, z + first, count);
  }
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(z);
}
