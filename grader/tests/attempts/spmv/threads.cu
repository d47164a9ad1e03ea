#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = blockIdx.x * kBlock + threadIdx.x;
  if (row >= rows) return;

  const int begin = row_starts[row];
  const int end = row_starts[row + 1];
  if (begin == end) return;  // nothing to add in this row

  float sum = values[begin] * x[columns[begin]];
  for (int k = begin + 1; k < end; ++k) {
    sum += values[k] * x[columns[k]];
  }
  y[row] = sum;
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  multiply<<<(rows + kBlock - 1) / kBlock, kBlock>>>(row_starts, columns, values, x, y, rows);
  if (cudaGetLastError() != cudaSuccess) return;
}
