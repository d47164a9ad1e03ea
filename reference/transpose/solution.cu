// The reference: tiles of 32 x 32 in padded shared memory, four elements per thread.
//
// Nothing is computed, so the time is that of reading and writing each element once, if enough
// loads are under way: eight blocks of 256 threads per multiprocessor, four loads of 4 bytes each,
// are 32 KB. Whole tiles, nearly all of a large matrix, take a path without conditions, so that the
// compiler issues the four loads before it waits for the first.
#include "transpose.h"

#include <cuda_runtime.h>

#include <cstddef>
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

namespace {

constexpr int kTile = 32;
constexpr int kBlockRows = 8;  // a thread moves kTile / kBlockRows elements

// in, out: the tile's first element in the matrix that is read and in the one that is written.
// height, width: how many rows and columns of the input the tile has.
template <bool kWhole>
__device__ void move_tile(const float* __restrict__ in, float* __restrict__ out, int rows,
                          int columns, int height, int width) {
  __shared__ float tile[kTile][kTile + 1];  // a column of it is in 32 different banks
  const int x = threadIdx.x;
#pragma unroll
  for (int k = 0; k < kTile; k += kBlockRows) {
    const int y = threadIdx.y + k;
    if (kWhole || (y < height && x < width)) {
      tile[y][x] = in[static_cast<std::size_t>(y) * columns + x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; k += kBlockRows) {
    const int y = threadIdx.y + k;
    if (kWhole || (y < width && x < height)) {
      out[static_cast<std::size_t>(y) * rows + x] = tile[x][y];
    }
  }
}

__global__ void __launch_bounds__(kTile* kBlockRows)
    transpose_tiles(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  const int row = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  in += static_cast<std::size_t>(row) * columns + column;
  out += static_cast<std::size_t>(column) * rows + row;
  const int height = rows - row;
  const int width = columns - column;
  if (height >= kTile && width >= kTile) {
    move_tile<true>(in, out, rows, columns, kTile, kTile);
  } else {
    move_tile<false>(in, out, rows, columns, height, width);
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kBlockRows);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
