// Rung 1: two loads per element.
//
// Each thread loads its own value and its neighbour's. The second load is off by one element: a
// warp touches 5 sectors, most of which the caches have already.
//
// Cost: 2 loads and 1 store per element.
#include "differences.h"

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

__global__ void subtract(const float* values, float* result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) result[i] = i == 0 ? values[i] : values[i] - values[i - 1];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
  CHECK(cudaGetLastError());
}
