// Rung 6: four adjacent cells of two rows per thread.
//
// No shared memory, and no barrier: a thread that has more cells of a plane has more of their
// neighbors in its own registers, and loads four cells at once where rows begin at multiples of 16
// bytes. In each plane these are four loads of four cells and four of one, for eight cells.
//
// Cost: 1 load and a quarter of a store per cell, and an eighth of the threads.
#include "stencil.h"

#include <cuda_runtime.h>

#include <algorithm>
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

constexpr int kRows = 2;  // of a thread's cells, adjacent in y
constexpr int kMostPlanes = 32;  // that a thread takes
constexpr int kEnoughBlocks = 2000;

// kWidth cells that are adjacent in x, in one access.
template <int kWidth>
__device__ void load(const float* from, float (&to)[kWidth]) {
  if constexpr (kWidth == 4) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  } else {
    to[0] = *from;
  }
}
template <int kWidth>
__device__ void store(float* to, const float (&from)[kWidth]) {
  if constexpr (kWidth == 4) {
    *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
  } else {
    *to = from[0];
  }
}

// A thread has kRows * kWidth cells in each of some planes.
// @param kBlocks  that a multiprocessor is to hold, by which registers are limited; 0 for no limit
template <int kWidth, int kBlockX, int kBlockY, int kBlocks>
__global__ void __launch_bounds__(kBlockX* kBlockY, kBlocks)
    update_columns(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz,
                   int planes) {
  const int x = (blockIdx.x * kBlockX + threadIdx.x) * kWidth;
  const int y = (blockIdx.y * kBlockY + threadIdx.y) * kRows;
  if (x >= nx || y >= ny) return;

  // Where in a plane the thread's cells and their neighbors are. In place of cells outside the grid
  // there are some inside: they are loaded and not used, since cells of the border keep their
  // value.
  int cells[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) cells[r] = min(y + r, ny - 1) * nx + x;
  const int before = max(y - 1, 0) * nx + x;
  const int behind = min(y + kRows, ny - 1) * nx + x;
  const int left = x == 0 ? 0 : -1;
  const int right = x + kWidth == nx ? kWidth - 1 : kWidth;

  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(nx) * ny;
  const int first = blockIdx.z * planes;
  const int end = min(first + planes, nz);
  in += first * plane;
  out += first * plane;
  float below[kRows][kWidth];
  float centre[kRows][kWidth];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    load(in + cells[r] - (first == 0 ? 0 : plane), below[r]);
    load(in + cells[r], centre[r]);
  }
#pragma unroll 1
  for (int z = first; z < end; ++z, in += plane, out += plane) {
    float above[kRows][kWidth];
    float row_before[kWidth];
    float row_behind[kWidth];
#pragma unroll
    for (int r = 0; r < kRows; ++r) load(in + cells[r] + (z == nz - 1 ? 0 : plane), above[r]);
    load(in + before, row_before);
    load(in + behind, row_behind);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const bool inner_row = z > 0 && z < nz - 1 && y + r > 0 && y + r < ny - 1;
      const float at_left = in[cells[r] + left];
      const float at_right = in[cells[r] + right];
      float result[kWidth];
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        const float sum = kCentre * centre[r][j] + kNeighbour * below[r][j] +
                          kNeighbour * above[r][j] +
                          kNeighbour * (j == 0 ? at_left : centre[r][j - 1]) +
                          kNeighbour * (j == kWidth - 1 ? at_right : centre[r][j + 1]) +
                          kNeighbour * (r == 0 ? row_before[j] : centre[r - 1][j]) +
                          kNeighbour * (r == kRows - 1 ? row_behind[j] : centre[r + 1][j]);
        const bool inner = inner_row && (j > 0 || x > 0) && (j < kWidth - 1 || x < nx - kWidth);
        result[j] = inner ? sum : centre[r][j];
      }
      if (y + r < ny) store(out + cells[r], result);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        below[r][j] = centre[r][j];
        centre[r][j] = above[r][j];
      }
    }
  }
}

template <int kWidth, int kBlockX, int kBlockY, int kBlocks>
void launch(const float* in, float* out, int nx, int ny, int nz) {
  const auto blocks = [](int cells, int per_block) { return (cells - 1) / per_block + 1; };
  dim3 grid(blocks(nx, kBlockX * kWidth), blocks(ny, kBlockY * kRows));
  // Long columns save the two additional loads, short ones make more blocks.
  const int columns = static_cast<int>(std::min(grid.x * grid.y, 1u << 20));
  const int parts = std::max(blocks(kEnoughBlocks, columns), blocks(nz, kMostPlanes));
  const int planes = std::max(4, blocks(nz, parts));
  grid.z = blocks(nz, planes);
  update_columns<kWidth, kBlockX, kBlockY, kBlocks>
      <<<grid, dim3(kBlockX, kBlockY)>>>(in, out, nx, ny, nz, planes);
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const auto is_wide = [nx](const float* data) {  // all rows begin at multiples of 16 bytes
    return nx % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  if (is_wide(in) && is_wide(out)) {
    launch<4, 64, 4, 4>(in, out, nx, ny, nz);
  } else {
    launch<1, 128, 4, 0>(in, out, nx, ny, nz);
  }
  CHECK(cudaGetLastError());
}
