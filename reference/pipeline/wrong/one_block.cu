// verdict: fails-concept
// pitfall: P71
// caught-by: concept asynchronous
// Correct, but a single block adds all columns, one after the other per thread.
#include "pipeline.h"

#include <cuda_runtime.h>

#include <cstddef>

__global__ void add_columns(const float* in, float* out, int rows, int columns) {
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    float sum = 0;
    for (int row = 0; row < rows; ++row)
      sum += in[static_cast<std::size_t>(row) * columns + column];
    out[column] = sum;
  }
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns > 0) add_columns<<<1, 256>>>(in, out, rows, columns);
}
