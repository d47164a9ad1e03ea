// verdict: fails-correctness
// pitfall: P13
// caught-by: case "one short of a tile"
// A thread moves four rows of the tile, or none if the last of them does not exist.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * 32;
  const int column = blockIdx.x * 32;
  for (int k = 0; k < 32; k += 8) {
    if (row + 32 <= rows && column + x < columns) {
      tile[y + k][x] = in[(row + y + k) * columns + column + x];
    }
  }
  __syncthreads();
  for (int k = 0; k < 32; k += 8) {
    if (column + y + k < columns && row + 32 <= rows) {
      out[(column + y + k) * rows + row + x] = tile[x][y + k];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
  transpose_tiles<<<grid, dim3(32, 8)>>>(in, out, rows, columns);
}
