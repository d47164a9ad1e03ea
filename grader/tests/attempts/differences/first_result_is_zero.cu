#include "differences.h"

#include <cuda_runtime.h>

template <typename T, int BLOCK>
__global__ void adjacent_difference(const T* in, T* out, int n) {
  __shared__ T left[BLOCK + 1];
  const int t = threadIdx.x;
  for (int base = blockIdx.x * BLOCK; base < n; base += gridDim.x * BLOCK) {
    const int i = base + t;
    if (i < n) left[t + 1] = in[i];
    if (t == 0) left[0] = base > 0 ? in[base - 1] : T(0);
    __syncthreads();
    if (i == 0) {
      out[0] = T(0);
    } else if (i < n) {
      out[i] = left[t + 1] - left[t];
    }
    __syncthreads();
  }
}

void differences(const float* values, float* result, int n) {
  constexpr int kBlock = 512;
  if (n <= 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  if (blocks > 864) blocks = 864;
  adjacent_difference<float, kBlock><<<blocks, kBlock>>>(values, result, n);
  cudaGetLastError();
}
