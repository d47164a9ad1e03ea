// verdict: fails-concept
// pitfall: P75
// caught-by: concept loads-once
// Correct, but a block fills its whole tile again for each half that it stores.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int row = blockIdx.y * 32;
  const int column = blockIdx.x * 32;
  for (int half = 0; half < 32; half += 16) {
    for (int y = threadIdx.y; y < 32; y += 16) {
      if (row + y < rows && column + x < columns) tile[y][x] = in[(row + y) * columns + column + x];
    }
    __syncthreads();
    const int y = half + threadIdx.y;
    if (column + y < columns && row + x < rows) out[(column + y) * rows + row + x] = tile[x][y];
    __syncthreads();
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
  transpose_tiles<<<grid, dim3(32, 16)>>>(in, out, rows, columns);
}
