// Rung 3: rows of 33 words.
//
// One word of padding per row moves each row of the tile by one bank, so that the 32 words of a
// column are in 32 banks. The column of padding is never read or written.
//
// Cost: 31 of 32 wavefronts less for the loads from shared memory; 128 bytes more per tile.
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
  __shared__ float tile[kTile][kTile + 1];
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
