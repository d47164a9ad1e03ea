#include "transpose.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];  // + 1 against bank conflicts

  const int x = threadIdx.x, y = threadIdx.y;

  // load
  {
    const int column = blockIdx.x * kTile + x;
    const int row = blockIdx.y * kTile + y;
    if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
  }

  __syncthreads();

  // store: the output has `columns` rows of `rows` elements
  {
    const int column = blockIdx.x * kTile + x;
    const int row = blockIdx.y * kTile + y;
    if (row < columns && column < rows) out[row * rows + column] = tile[x][y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return;
}
