// verdict: fails-concept
// pitfall: none
// caught-by: concept atomics
// Right, but each element is added to its result by an atomic of its own.
#include "spmv.h"

#include <cuda_runtime.h>

#include <cstddef>

// The row of element k: the last one that begins at or before k.
__device__ int row_of(const int* row_starts, int rows, int k) {
  int low = 0;
  int high = rows;  // row_starts[low] <= k < row_starts[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (row_starts[middle] <= k) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows, int nonzeros) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < nonzeros) atomicAdd(&y[row_of(row_starts, rows, k)], values[k] * x[columns[k]]);
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  // Rows without elements, and those that are added up.
  cudaMemsetAsync(y, 0, static_cast<std::size_t>(rows) * sizeof(float));
  if (nonzeros == 0) return;
  multiply<<<(nonzeros + 255) / 256, 256>>>(row_starts, columns, values, x, y, rows, nonzeros);
}
