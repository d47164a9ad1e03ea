// verdict: fails-concept
// pitfall: P66
// caught-by: concept occupancy
// A block takes 33 KB of shared memory for two large tiles, and four blocks of 128 threads fill a
// multiprocessor.
#include "transpose.h"

#include <cuda_runtime.h>

constexpr int kTile = 64;
constexpr int kTiles = 2;  // side by side

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTiles][kTile][kTile + 1];
  const int x = threadIdx.x;
  const int row = blockIdx.y * kTile;
  for (int t = 0; t < kTiles; ++t) {
    const int column = (blockIdx.x * kTiles + t) * kTile;
    for (int y = threadIdx.y; y < kTile; y += 2) {
      if (row + y < rows && column + x < columns) {
        tile[t][y][x] = in[static_cast<size_t>(row + y) * columns + column + x];
      }
    }
  }
  __syncthreads();
  for (int t = 0; t < kTiles; ++t) {
    const int column = (blockIdx.x * kTiles + t) * kTile;
    for (int y = threadIdx.y; y < kTile; y += 2) {
      if (column + y < columns && row + x < rows) {
        out[static_cast<size_t>(column + y) * rows + row + x] = tile[t][x][y];
      }
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + kTiles * kTile - 1) / (kTiles * kTile), (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, dim3(kTile, 2)>>>(in, out, rows, columns);
}
