#include "spmv.h"

#include <cuda_runtime.h>

// Eight threads per row.
constexpr int kBlock = 256;
constexpr int kLanes = 8;

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int thread = blockIdx.x * kBlock + threadIdx.x;
  const int row = thread / kLanes;
  const int lane = thread % kLanes;

  float sum = 0;
  if (row < rows) {
    for (int k = row_starts[row] + lane; k < row_starts[row + 1]; k += 32)
      sum += values[k] * x[columns[k]];
  }
  for (int d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d, kLanes);
  if (lane == 0 && row < rows) y[row] = sum;
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  const int per_block = kBlock / kLanes;
  multiply<<<(rows + per_block - 1) / per_block, kBlock>>>(row_starts, columns, values, x, y, rows);
  if (cudaGetLastError() != cudaSuccess) return;
}
