// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block moves all tiles, and the rest of the device is idle.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  for (int row = 0; row < rows; row += 32) {
    for (int column = 0; column < columns; column += 32) {
      if (row + y < rows && column + x < columns) tile[y][x] = in[(row + y) * columns + column + x];
      __syncthreads();
      if (column + y < columns && row + x < rows) out[(column + y) * rows + row + x] = tile[x][y];
      __syncthreads();
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  transpose_tiles<<<1, dim3(32, 32)>>>(in, out, rows, columns);
}
