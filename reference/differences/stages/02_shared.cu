// Rung 2: values shared by the block.
//
// Each thread stores its value in an array that the block shares, and thread 0 also that of the
// last element of the block before. After a barrier each thread reads its neighbour's. The first
// element of all has a 0 on its left, so that no result is a special case: x - 0 is x.
//
// Cost: 1 load per element and 1 more per block, a barrier.
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
  __shared__ float tile[kBlock + 1];  // the value on the left of the block's own, then these
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) tile[t + 1] = values[i];
  if (t == 0) tile[0] = i > 0 ? values[i - 1] : 0;
  __syncthreads();
  if (i < n) result[i] = tile[t + 1] - tile[t];
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
  CHECK(cudaGetLastError());
}
