// verdict: crashes
// pitfall: none
// caught-by: case "no rows"
// The mean length is computed before the test for 0 rows.
#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr unsigned kAllLanes = 0xffffffff;

// @param kLanes  lanes per row: a power of two up to 32
template <int kLanes>
__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const int lane = threadIdx.x % kLanes;
  float sum = 0;
  if (row < rows) {
    const int end = row_starts[row + 1];
    for (int k = row_starts[row] + lane; k < end; k += kLanes) sum += values[k] * x[columns[k]];
  }
  // All lanes of the warp take part, those without a row, too.
  for (int d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(kAllLanes, sum, d, kLanes);
  if (lane == 0 && row < rows) y[row] = sum;
}

template <int kLanes>
void launch(const int* row_starts, const int* columns, const float* values, const float* x,
            float* y, int rows) {
  constexpr int kRows = kBlock / kLanes;  // per block
  multiply<kLanes><<<(rows + kRows - 1) / kRows, kBlock>>>(row_starts, columns, values, x, y, rows);
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  const int mean = nonzeros / rows;
  if (rows == 0) return;
  if (mean <= 4) {
    launch<2>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 8) {
    launch<4>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 16) {
    launch<8>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 32) {
    launch<16>(row_starts, columns, values, x, y, rows);
  } else {
    launch<32>(row_starts, columns, values, x, y, rows);
  }
}
