// verdict: fails-correctness
// pitfall: P34
// caught-by: case "by hand"
// Each thread adds the elements of its row to a result that is not initialized to 0.
#include "spmv.h"

#include <cuda_runtime.h>

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int k = row_starts[row]; k < row_starts[row + 1]; ++k) y[row] += values[k] * x[columns[k]];
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int /*nonzeros*/) {
  if (rows == 0) return;
  multiply<<<(rows + 255) / 256, 256>>>(row_starts, columns, values, x, y, rows);
}
