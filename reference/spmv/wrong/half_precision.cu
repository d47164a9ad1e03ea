// verdict: fails-correctness
// pitfall: P56
// caught-by: case "equal rows"
// Products are added up in half precision.
#include "spmv.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  __half sum = __float2half(0.0f);
  for (int k = row_starts[row]; k < row_starts[row + 1]; ++k)
    sum = __float2half(__half2float(sum) + values[k] * x[columns[k]]);
  y[row] = __half2float(sum);
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int /*nonzeros*/) {
  if (rows == 0) return;
  multiply<<<(rows + 255) / 256, 256>>>(row_starts, columns, values, x, y, rows);
}
