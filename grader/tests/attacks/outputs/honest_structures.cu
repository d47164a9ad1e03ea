// lab:     vecadd
// root:    A
// tries:   gets the sums back among other fields, and picks them on the host
// holds:   all of its cases pass
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

struct Result {
  float sum;
  int index;
};

__global__ void pack(const float* sums, Result* results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) results[i] = {sums[i], i};
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
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
  std::vector<Result> results(n);
  Result* d_results;
  cudaMalloc(&d_results, n * sizeof(Result));
  pack<<<(n + 255) / 256, 256>>>(z, d_results, n);
  cudaMemcpy(results.data(), d_results, n * sizeof(Result), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) c[i] = results[i].sum;
  cudaFree(d_results);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
