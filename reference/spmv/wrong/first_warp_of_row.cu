// verdict: fails-correctness
// pitfall: P13
// caught-by: case "one long row"
// A warp takes the first 32 elements of its row only.
#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr unsigned kAllLanes = 0xffffffff;

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // a whole warp
  float sum = 0;
  const int end = row_starts[row + 1];
  const int k = row_starts[row] + lane;
  if (k < end) sum = values[k] * x[columns[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(kAllLanes, sum, d);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int /*nonzeros*/) {
  if (rows == 0) return;
  constexpr int kRows = kBlock / 32;  // per block
  multiply<<<(rows + kRows - 1) / kRows, kBlock>>>(row_starts, columns, values, x, y, rows);
}
