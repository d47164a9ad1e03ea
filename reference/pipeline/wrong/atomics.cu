// verdict: fails-correctness
// pitfall: none
// caught-by: case "one tile"
// Blocks add parts of a column with atomics, in whichever order they come.
#include "pipeline.h"

#include <cuda_runtime.h>

#include <cstddef>

constexpr int kRows = 32;

__global__ void add_parts(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= columns) return;
  const int first = blockIdx.y * kRows;
  float sum = 0;
  for (int row = first; row < min(rows, first + kRows); ++row) {
    sum += in[static_cast<std::size_t>(row) * columns + column];
  }
  atomicAdd(&out[column], sum);
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  cudaMemset(out, 0, columns * sizeof(float));
  if (rows == 0) return;
  add_parts<<<dim3((columns + 31) / 32, (rows + kRows - 1) / kRows), 32>>>(in, out, rows, columns);
}
