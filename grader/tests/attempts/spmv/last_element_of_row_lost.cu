#include "spmv.h"

#include <cuda_runtime.h>

struct Csr {
  const int* row_starts;
  const int* columns;
  const float* values;
};

__global__ void spmv_kernel(Csr matrix, const float* x, float* y, int rows) {
  const int* row_starts = matrix.row_starts;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += gridDim.x * blockDim.y) {
    const int first = row_starts[row];
    const int last = row_starts[row + 1] - 1;
    float sum = 0;
    for (int k = first + threadIdx.x; k < last; k += 32) {
      sum += matrix.values[k] * x[matrix.columns[k]];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) y[row] = sum;
  }
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  const Csr matrix{row_starts, columns, values};
  spmv_kernel<<<(rows + 7) / 8, dim3(32, 8)>>>(matrix, x, y, rows);
  if (cudaGetLastError() != cudaSuccess) return;
}
