// lab:     vecadd
// does:    registers vectors of its own, which the kernel reads and writes in place
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "vecadd.h"

__global__ void add_to(float* sums, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  std::vector<float> sums(a, a + n), other(b, b + n);
  const size_t bytes = n * sizeof(float);
  cudaHostRegister(sums.data(), bytes, cudaHostRegisterMapped);
  cudaHostRegister(other.data(), bytes, cudaHostRegisterMapped);
  float *x, *y;
  cudaHostGetDevicePointer(&x, sums.data(), 0);
  cudaHostGetDevicePointer(&y, other.data(), 0);
  add_to<<<(n + 255) / 256, 256>>>(x, y, n);
  cudaDeviceSynchronize();
  cudaHostUnregister(sums.data());
  cudaHostUnregister(other.data());
  std::copy(sums.begin(), sums.end(), c);
}
