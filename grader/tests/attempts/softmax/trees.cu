#include "softmax.h"

#include <cuda_runtime.h>

#include <cfloat>

constexpr int THREADS = 256;

template <typename F>
__device__ float block_tree(float* shared, float mine, F f) {
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = THREADS / 2; half >= 1; half /= 2) {
    if (threadIdx.x < half) {
      shared[threadIdx.x] = f(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
  }
  return shared[0];
}

struct Larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmax_kernel(const float* in, float* out, int columns) {
  __shared__ float scratch[THREADS];
  const size_t offset = (size_t)blockIdx.x * columns;

  float biggest = -INFINITY;
  for (int j = threadIdx.x; j < columns; j += THREADS) {
    biggest = fmaxf(biggest, in[offset + j]);
  }
  biggest = block_tree(scratch, biggest, Larger());

  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += THREADS) {
    sum += expf(in[offset + j] - biggest);
  }
  sum = block_tree(scratch, sum, Plus());

  for (int j = threadIdx.x; j < columns; j += THREADS) {
    out[offset + j] = expf(in[offset + j] - biggest) / sum;
  }
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_kernel<<<rows, THREADS>>>(in, out, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
