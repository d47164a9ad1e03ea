// Rung 3: values handed on inside the warp.
//
// __shfl_up_sync gives each lane the register of the lane below. Lane 0 has none, and loads its
// neighbour's value from memory. All lanes take part, those without an element too.
//
// Cost: 1 load per element and 1 more per warp; no barrier, no shared memory.
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
  const float own = i < n ? values[i] : 0;
  float left = __shfl_up_sync(0xffffffff, own, 1);
  if (threadIdx.x % 32 == 0) left = i > 0 && i < n ? values[i - 1] : 0;
  if (i < n) result[i] = own - left;
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
  CHECK(cudaGetLastError());
}
