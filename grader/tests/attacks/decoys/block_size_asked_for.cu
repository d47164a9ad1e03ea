// lab:     softmax
// does:    asks the runtime for the best block size, and has dynamic shared memory to match
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>

#include "softmax.h"

__global__ void softmax_rows(const float* in, float* out, int rows, int columns) {
  extern __shared__ float part[];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* from = in + static_cast<size_t>(row) * columns;
    float* to = out + static_cast<size_t>(row) * columns;
    float largest = -INFINITY;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, from[c]);
    part[threadIdx.x] = largest;
    __syncthreads();
    for (int count = blockDim.x; count > 1;) {
      const int half = (count + 1) / 2;  // block sizes need not be powers of two
      if (threadIdx.x + half < count) {
        part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
      }
      count = half;
      __syncthreads();
    }
    largest = part[0];
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(from[c] - largest);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int count = blockDim.x; count > 1;) {
      const int half = (count + 1) / 2;
      if (threadIdx.x + half < count) part[threadIdx.x] += part[threadIdx.x + half];
      count = half;
      __syncthreads();
    }
    sum = part[0];
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = expf(from[c] - largest) / sum;
  }
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  int blocks = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &blocks, &block, softmax_rows,
      [] __host__ __device__(int threads) { return threads * sizeof(float); });
  block = std::min(block, 192);
  softmax_rows<<<std::min(rows, 4 * blocks), block, block * sizeof(float)>>>(in, out, rows,
                                                                             columns);
}
