// Rung 2: a tile in shared memory.
//
// The block loads a tile of 32 x 32 elements row by row and stores it row by row of the output; the
// turn happens in between, where a thread reads tile[x][y] instead of tile[y][x]. What it stores
// was loaded by another thread, so there is a barrier. The block's position is exchanged as well:
// the tile in block row r and block column c of the input is the one in row c and column r of the
// output.
//
// Cost: rows * columns / 8 sectors in each direction. A warp reads a column of the tile, 32 words
// of one bank, in 32 wavefronts.
#include "transpose.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kTile = 32;

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile;  // of the tile's first element in the input
  const int column = blockIdx.x * kTile;
  if (row + y < rows && column + x < columns) {
    tile[y][x] = in[(row + y) * columns + column + x];
  }
  __syncthreads();
  if (column + y < columns && row + x < rows) {
    out[(column + y) * rows + row + x] = tile[x][y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
