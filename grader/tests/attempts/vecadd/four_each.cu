#include "vecadd.h"

#include <cuda_runtime.h>
#include <cstdlib>
#include <cstdio>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t err_ = (call);                                                  \
    if (err_ != cudaSuccess) {                                                  \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

constexpr int kThreads = 256;
constexpr int kItems = 4;  // elements per thread

// The items of a thread are one block size apart, so that all accesses are coalesced.
template <int kPerThread>
__global__ void add_many(const float* __restrict__ a, const float* __restrict__ b,
                         float* __restrict__ c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int j = 0; j < kPerThread; ++j) {
    const int i = first + j * blockDim.x;
    if (i < n) c[i] = a[i] + b[i];
  }
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = sizeof(float) * n;

  float* d[3];
  for (float*& p : d) CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice));

  constexpr int kPerBlock = kThreads * kItems;
  const int grid = (n - 1) / kPerBlock + 1;
  add_many<kItems><<<grid, kThreads>>>(d[0], d[1], d[2], n);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost));
  for (float* p : d) CHECK(cudaFree(p));
}
