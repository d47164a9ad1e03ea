// The reference: four elements per thread, and shuffles.
//
// 8 bytes per element and one subtraction: memory is the limit, and the loads come first, so that
// enough of them are under way.
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

namespace {

constexpr int kBlock = 256;
constexpr int kItems = 4;  // elements per thread, a block apart
constexpr int kTile = kBlock * kItems;

__global__ void __launch_bounds__(kBlock)
    subtract(const float* __restrict__ values, float* __restrict__ result, int n) {
  const int first = blockIdx.x * kTile + threadIdx.x;
  const bool lowest = threadIdx.x % 32 == 0;
  float own[kItems];
  float left[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = first + k * kBlock;
    own[k] = i < n ? values[i] : 0;
    left[k] = lowest && i > 0 && i < n ? values[i - 1] : 0;
  }
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = first + k * kBlock;
    const float below = __shfl_up_sync(0xffffffff, own[k], 1);
    if (i < n) result[i] = own[k] - (lowest ? left[k] : below);
  }
}

}  // namespace

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  subtract<<<(n + kTile - 1) / kTile, kBlock>>>(values, result, n);
  CHECK(cudaGetLastError());
}
