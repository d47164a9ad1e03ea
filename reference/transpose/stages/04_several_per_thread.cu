// Rung 4: four elements per thread.
//
// A block of 32 x 8 threads moves a tile of 32 x 32 elements. Indices and the barrier cost a
// quarter per element, the four loads of a thread do not depend on each other and are under way
// together, and eight blocks instead of two share a multiprocessor: while one waits at its barrier,
// the others load.
//
// Cost: a quarter of the threads and barriers, the same sectors.
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
constexpr int kBlockRows = 8;  // a thread moves kTile / kBlockRows elements

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x;
  const int row = blockIdx.y * kTile;  // of the tile's first element in the input
  const int column = blockIdx.x * kTile;
#pragma unroll
  for (int y = threadIdx.y; y < kTile; y += kBlockRows) {
    if (row + y < rows && column + x < columns) {
      tile[y][x] = in[(row + y) * columns + column + x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < kTile; y += kBlockRows) {
    if (column + y < columns && row + x < rows) {
      out[(column + y) * rows + row + x] = tile[x][y];
    }
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kBlockRows);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
