#include "differences.h"
#include <cuda_runtime.h>

__global__ void warpDiff(const float* __restrict__ values, float* __restrict__ result, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = (i < n) ? values[i] : 0.0f;
  float left = __shfl_up_sync(0xffffffff, own, 1);

  // The first lane has no lane below it, so it loads the value itself.
  if (threadIdx.x == 0)
    left = (i > 0 && i < n) ? values[i - 1] : 0.0f;

  if (i < n)
    result[i] = own - left;
}

void differences(const float* values, float* result, int n)
{
  if (n == 0)
    return;

  constexpr int threads = 256;
  warpDiff<<<(n + threads - 1) / threads, threads>>>(values, result, n);

  if (cudaError_t e = cudaGetLastError(); e != cudaSuccess)
    return;
}
