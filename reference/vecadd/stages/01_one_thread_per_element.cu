// Rung 1: one thread for each element.
//
// The grid is rounded up to whole blocks, so the last block may have threads without an element;
// the guard sends them home. A warp reads 32 floats side by side: 128 bytes, 4 sectors, nothing
// wasted. 12 bytes move for one addition, so memory, not arithmetic, sets the time.
#include "vecadd.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc(&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));

  const int blocks = (n + kBlock - 1) / kBlock;
  add<<<blocks, kBlock>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));

  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
}
