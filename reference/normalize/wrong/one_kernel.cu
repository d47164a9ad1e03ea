// verdict: fails-safety
// pitfall: P33
// caught-by: finding race-global
// One kernel does everything: blocks read the sum before all others have added to it.
#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void all_in_one(const float* a, const float* b, float* unit, float* sum, int n) {
  __shared__ float squares[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n ? a[i] - b[i] : 0;
  squares[threadIdx.x] = own * own;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) squares[threadIdx.x] += squares[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, squares[0]);
  __syncthreads();
  if (i < n) unit[i] = *sum > 0 ? own / sqrtf(*sum) : 0;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* sum = nullptr;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  all_in_one<<<blocks, kBlock>>>(a, b, unit, sum, n);
  cudaFree(sum);
}
