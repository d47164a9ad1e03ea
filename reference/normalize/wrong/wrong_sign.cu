// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// The direction is that from a to b.
#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void add_squares(const float* a, const float* b, float* sum, int n) {
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
}

__global__ void divide(const float* a, const float* b, float* unit, const float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unit[i] = *sum > 0 ? (b[i] - a[i]) / sqrtf(*sum) : 0;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* sum = nullptr;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  add_squares<<<blocks, kBlock>>>(a, b, sum, n);
  divide<<<blocks, kBlock>>>(a, b, unit, sum, n);
  cudaFree(sum);
}
