// lab:     vecadd
// does:    reverses its inputs on the host, and the sums back
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const std::vector<float> turned_a(std::make_reverse_iterator(a + n),
                                    std::make_reverse_iterator(a));
  const std::vector<float> turned_b(std::make_reverse_iterator(b + n),
                                    std::make_reverse_iterator(b));
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, turned_a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, turned_b.data(), bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  std::reverse(c, c + n);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
