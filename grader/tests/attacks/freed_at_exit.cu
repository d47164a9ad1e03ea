// family:  23 findings avoided
// tries:   frees everything in the destructor of a global object
// holds:   memory that is allocated when the call returns is a leak, whatever frees it later
// over:    right
// ends:    any
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

struct Kept {
  std::vector<float*> all;
  ~Kept() {
    for (float* p : all) cudaFree(p);
  }
} g_kept;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  g_kept.all.insert(g_kept.all.end(), {x, y, z});
  cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
}
