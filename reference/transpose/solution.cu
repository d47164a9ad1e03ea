// The reference: tiles of 64 x 64 in padded shared memory, eight elements per thread.
//
// Nothing is computed, so the time is that of reading and writing each element once. What that
// takes beyond loads and stores of whole warps (stages/04):
//
// - Enough loads under way: four blocks of 512 threads per multiprocessor, eight loads of 4 bytes
//   each, are 64 KB. Whole tiles take a path without conditions, so that the compiler issues the
//   loads before it waits for the first.
// - Neighboring blocks have tiles that are neighbors in the output. Memory is read and written in
//   pieces of 32 bytes, sectors. Where one lies in two tiles, both halves should be written while
//   it is in the L2 cache; only half of a sector costs a read of the rest.
// - If the output's rows begin anywhere, a tile has eight rows of the input more than it needs, and
//   each of its parts of an output row is moved to the beginning of a sector. Then no sector is
//   written by halves. The additional rows are mostly read from the L2 cache.
#include "transpose.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
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

constexpr int kTile = 64;
constexpr int kBlock = 512;
constexpr int kSector = 32 / sizeof(float);  // elements

// @param kShift  rows of the input that tiles have in common, for parts of output rows to be
//     shifted: kSector, or 0 if all rows of the output begin with a sector
template <int kShift>
__global__ void __launch_bounds__(kBlock)
    transpose_tiles(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  constexpr int kHeight = kTile + kShift;
  constexpr int kStep = kBlock / kTile;  // rows of a tile that the block loads, or stores, at once
  __shared__ float tile[kHeight][kTile + 1];  // a column of it is in 32 different banks
  const int row = blockIdx.x * kTile;  // the output's neighbors in blockIdx.x
  const int column = blockIdx.y * kTile;
  const int x = threadIdx.x % kTile;
  const int y = threadIdx.x / kTile;

  const int top = row - kShift;
  const float* const from = in + static_cast<std::ptrdiff_t>(top + y) * columns + column + x;
  if (top >= 0 && top + kHeight <= rows && column + kTile <= columns) {
#pragma unroll
    for (int k = 0; k < kHeight; k += kStep) {
      tile[y + k][x] = from[static_cast<std::ptrdiff_t>(k) * columns];
    }
  } else {
    for (int k = 0; k < kHeight; k += kStep) {
      const int r = top + y + k;
      if (r >= 0 && r < rows && column + x < columns) {
        tile[y + k][x] = from[static_cast<std::ptrdiff_t>(k) * columns];
      }
    }
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < kTile; k += kStep) {
    const int c = column + y + k;  // the row of the output
    float* const to = out + static_cast<std::size_t>(c) * rows;
    // How far `row` is from the beginning of a sector: the part begins so much earlier.
    const int early =
        kShift == 0 ? 0 : (reinterpret_cast<std::uintptr_t>(to) / sizeof(float) + row) % kSector;
    const int r = row - early + x;
    if (c < columns && r >= 0 && r < rows) to[r] = tile[kShift - early + x][y + k];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const auto blocks = [](int extent) { return (extent - 1) / kTile + 1; };
  if (rows % kSector == 0 && reinterpret_cast<std::uintptr_t>(out) % 32 == 0) {
    const dim3 grid(blocks(rows), blocks(columns));
    transpose_tiles<0><<<grid, kBlock>>>(in, out, rows, columns);
  } else {
    const dim3 grid(blocks(rows + kSector - 1), blocks(columns));
    transpose_tiles<kSector><<<grid, kBlock>>>(in, out, rows, columns);
  }
  CHECK(cudaGetLastError());
}
