#include "transpose.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];

  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (row < rows && col < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + col];
  __syncthreads();

  // now the other way round
  int out_col = blockIdx.y * kTile + threadIdx.x;
  int out_row = blockIdx.x * kTile + threadIdx.y;
  if (row < rows && col < columns) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
