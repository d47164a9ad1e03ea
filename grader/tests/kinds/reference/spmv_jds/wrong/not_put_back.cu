// verdict: fails-correctness
// pitfall: none
// caught-by: case "uniform"
// Leaves the results in the order of the row lengths.
#include "spmv_jds.h"

__global__ void multiply(const int* row_order, const int* row_lengths, const int* diagonal_starts,
                         const int* columns, const float* values, const float* x, float* y,
                         int rows) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= rows) return;
  float sum = 0;
  for (int k = 0; k < row_lengths[place]; ++k) {
    const int at = diagonal_starts[k] + place;
    sum += values[at] * x[columns[at]];
  }
  y[place] = sum;
}

void spmv_jds(const int* row_order, const int* row_lengths, const int* diagonal_starts,
              const int* columns, const float* values, const float* x, float* y, int rows) {
  multiply<<<(rows + 63) / 64, 64>>>(row_order, row_lengths, diagonal_starts, columns, values, x, y,
                                     rows);
}
