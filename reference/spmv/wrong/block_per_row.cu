// verdict: fails-concept
// pitfall: P68
// caught-by: concept few-instructions
// differs with clang: nvcc unrolls the loop over a row, which has one step at most here
// Right, but a block of 128 threads takes each row of 24 elements.
#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 128;
constexpr unsigned kAllLanes = 0xffffffff;

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y) {
  __shared__ float part[kBlock / 32];
  const int row = blockIdx.x;
  float sum = 0;
  for (int k = row_starts[row] + threadIdx.x; k < row_starts[row + 1]; k += kBlock) {
    sum += values[k] * x[columns[k]];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(kAllLanes, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = part[0] + part[1] + part[2] + part[3];
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int /*nonzeros*/) {
  if (rows == 0) return;
  multiply<<<rows, kBlock>>>(row_starts, columns, values, x, y);
}
