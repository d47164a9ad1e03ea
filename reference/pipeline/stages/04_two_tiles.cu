// Rung 4: two tiles.
//
// While the first warp adds one tile, the copies of the next one are under way. A group of copies
// per tile is committed, and __pipeline_wait_prior(1) leaves the newest one in flight. The last
// tiles have empty groups, so that the count stays the same.
//
// Cost: still two barriers per tile. The three warps that only copy wait at the second one for the
// sums, as if they needed them.
#include "pipeline.h"

#include <cuda_pipeline.h>
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

constexpr int kColumns = 32;
constexpr int kRows = 64;  // of a tile
constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;

// Begins the copies of this thread's part of a tile, as one group.
__device__ void fetch(float (*tile)[kColumns], const float* in, int first, int rows, int columns) {
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kColumns + lane;
  if (first < rows) {
    for (int r = threadIdx.x / 32; r < kRows; r += kWarps) {
      const int row = first + r;
      if (row < rows && column < columns) {
        const float* from = in + static_cast<std::size_t>(row) * columns + column;
        __pipeline_memcpy_async(&tile[r][lane], from, sizeof(float));
      } else {
        tile[r][lane] = 0;
      }
    }
  }
  __pipeline_commit();
}

__global__ void __launch_bounds__(kThreads)
    add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ float tiles[2][kRows][kColumns];
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kColumns + lane;
  float sum = 0;
  fetch(tiles[0], in, 0, rows, columns);
  int current = 0;
  for (int first = 0; first < rows; first += kRows) {
    fetch(tiles[1 - current], in, first + kRows, rows, columns);
    __pipeline_wait_prior(1);  // all groups but the newest
    __syncthreads();
    if (threadIdx.x < 32) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) sum += tiles[current][r][lane];
    }
    __syncthreads();  // the next round fills this tile again
    current = 1 - current;
  }
  if (threadIdx.x < 32 && column < columns) out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kThreads>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
