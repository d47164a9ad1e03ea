// Rung 3: a tile in shared memory, copied asynchronously.
//
// Four warps copy 64 rows of 32 columns into shared memory, without registers in between: 16 copies
// per thread are under way at once. After the wait, and a barrier, the first warp adds them. All
// others wait at the second barrier, before they fill the tile again.
//
// Cost: two barriers per tile, and nothing is copied while the sums are formed.
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

__global__ void __launch_bounds__(kThreads)
    add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kRows][kColumns];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kColumns + lane;
  float sum = 0;
  for (int first = 0; first < rows; first += kRows) {
    for (int r = warp; r < kRows; r += kWarps) {
      const int row = first + r;
      if (row < rows && column < columns) {
        const float* from = in + static_cast<std::size_t>(row) * columns + column;
        __pipeline_memcpy_async(&tile[r][lane], from, sizeof(float));
      } else {
        tile[r][lane] = 0;  // adds nothing, not even a sign: the sum is never -0
      }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);  // this thread's copies
    __syncthreads();  // and all others'
    if (warp == 0) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) sum += tile[r][lane];
    }
    __syncthreads();  // the tile is filled again
  }
  if (warp == 0 && column < columns) out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kThreads>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
