// verdict: fails-safety
// pitfall: P23
// caught-by: finding race-shared
// A block moves several tiles, and loads the next while others still read the last.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.x * 32;
  for (int column = 0; column < columns; column += 32) {
    if (row + y < rows && column + x < columns) tile[y][x] = in[(row + y) * columns + column + x];
    __syncthreads();
    if (column + y < columns && row + x < rows) out[(column + y) * rows + row + x] = tile[x][y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  transpose_tiles<<<(rows + 31) / 32, dim3(32, 32)>>>(in, out, rows, columns);
}
