// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced-loads
// Correct, but the loads of a warp are a whole row of the input apart.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_elements(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < rows && row < columns) out[row * rows + column] = in[column * columns + row];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((rows + 15) / 16, (columns + 15) / 16);
  transpose_elements<<<grid, dim3(16, 16)>>>(in, out, rows, columns);
}
