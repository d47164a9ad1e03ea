// Rung 3: a swizzle, so that no two rows of a matrix begin in the same bank.
//
// Chunk c of row r is stored at c ^ (r % 8). The eight rows that ldmatrix reads at once, and the
// eight chunks of a row that are stored at once, are then in different banks: each access takes as
// many wavefronts as its bytes need. Padded rows would do that, too, and would take more shared
// memory; this is the arrangement in which Hopper's copy engine and wgmma work as well.
//
// Cost: two exclusive ors. While tiles are loaded, still nothing is multiplied.
#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "sm80.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kTile = 64;  // rows and columns of C per block
constexpr int kDepth = 64;  // steps of k per phase
constexpr int kSteps = 16;  // of one instruction
constexpr int kThreads = 128;  // 2 x 2 warps
constexpr int kWarpTile = 32;
constexpr int kDown = kWarpTile / 16;  // instructions' tiles of 16 x 8 sums
constexpr int kAcross = kWarpTile / 8;
constexpr int kChunk = 8;  // elements of 16 bytes
constexpr int kChunks = 8;  // per row of a tile

using Rows = uint4[kTile][kChunks];

// The chunk of a tile in shared memory, where the swizzle has it.
__device__ uint4* chunk_of(Rows& tile, int row, int chunk) {
  return &tile[row][chunk ^ row % 8];
}

// Rows and columns of a matrix from (first_row, first_column) on; zeros outside.
__device__ void load_tile(Rows& to, const __nv_bfloat16* from, int rows, int columns, int first_row,
                          int first_column) {
#pragma unroll
  for (int i = 0; i < kTile * kChunks / kThreads; ++i) {
    const int at = i * kThreads + static_cast<int>(threadIdx.x);
    const int row = first_row + at / kChunks;
    const int column = first_column + at % kChunks * kChunk;
    const __nv_bfloat16* const chunk = from + static_cast<std::size_t>(row) * columns + column;
    *chunk_of(to, at / kChunks, at % kChunks) = row < rows && column < columns
                                                    ? *reinterpret_cast<const uint4*>(chunk)
                                                    : make_uint4(0, 0, 0, 0);
  }
}

__device__ void multiply_tiles(Rows& a, Rows& b, float (&sums)[kDown][kAcross][4], int warp_row,
                               int warp_column, int lane) {
#pragma unroll
  for (int step = 0; step < kDepth; step += kSteps) {
    std::uint32_t left[kDown][4];
    std::uint32_t right[kAcross / 2][4];  // two instructions' factors each
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
      const int row = warp_row + 16 * i + lane % 16;
      sm80::load_matrices(left[i], chunk_of(a, row, step / kChunk + lane / 16));
    }
#pragma unroll
    for (int j = 0; j < kAcross / 2; ++j) {
      const int chunk = (warp_column + 16 * j) / kChunk + lane / 16;
      sm80::load_transposed(right[j], chunk_of(b, step + lane % 16, chunk));
    }
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
        const std::uint32_t* const both = &right[j / 2][j % 2 * 2];
        sm80::multiply_add(sums[i][j], left[i], both[0], both[1]);
      }
    }
  }
}

// A lane has two adjacent columns of every eight, in two rows that are eight apart.
__device__ void store(const float (&sums)[kDown][kAcross][4], __nv_bfloat16* c, int first_row,
                      int first_column, int m, int n, int lane) {
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = first_row + 16 * i + 8 * half + lane / 4;
        const int column = first_column + 8 * j + lane % 4 * 2;
        if (row >= m || column >= n) continue;
        const float* const pair = &sums[i][j][2 * half];
        *reinterpret_cast<__nv_bfloat162*>(c + static_cast<std::size_t>(row) * n + column) =
            __floats2bfloat162_rn(pair[0], pair[1]);
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads) multiply(const __nv_bfloat16* a, const __nv_bfloat16* b,
                                                     __nv_bfloat16* c, int m, int n, int k) {
  __shared__ Rows a_tile;
  __shared__ Rows b_tile;
  const int lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  const int warp_row = threadIdx.x / 64 * kWarpTile;
  const int warp_column = threadIdx.x / 32 % 2 * kWarpTile;

  float sums[kDown][kAcross][4] = {};
  for (int start = 0; start < k; start += kDepth) {
    load_tile(a_tile, a, m, k, first_row, start);
    load_tile(b_tile, b, k, n, start, first_column);
    __syncthreads();
    multiply_tiles(a_tile, b_tile, sums, warp_row, warp_column, lane);
    __syncthreads();
  }
  store(sums, c, first_row + warp_row, first_column + warp_column, m, n, lane);
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
