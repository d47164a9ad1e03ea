// The reference: what compute capability 8.0 has, so that both compilers make it, and any card from
// the A100 on runs it.
//
// 64 x 64 sums per warp, in registers; factors by ldmatrix from swizzled tiles, which cp.async
// fills two phases ahead. Rungs 6 to 8 are twice as fast, on Hopper only.
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

constexpr int kTile = 128;  // rows and columns of C per block
constexpr int kDepth = 64;  // steps of k per phase
constexpr int kSteps = 16;  // of one instruction
constexpr int kThreads = 128;  // 2 x 2 warps
constexpr int kWarpTile = 64;
constexpr int kDown = kWarpTile / 16;  // instructions' tiles of 16 x 8 sums
constexpr int kAcross = kWarpTile / 8;
constexpr int kChunk = 8;  // elements of 16 bytes

constexpr int kStages = 3;

template <int kRows, int kColumns>
using Tile = uint4[kRows][kColumns / kChunk];
struct Stage {
  Tile<kTile, kDepth> a;
  Tile<kDepth, kTile> b;
};
constexpr int kSharedBytes = kStages * sizeof(Stage);

// The chunk of a tile in shared memory, where the swizzle has it.
template <int kRows, int kChunks>
__device__ uint4* chunk_of(uint4 (&tile)[kRows][kChunks], int row, int chunk) {
  return &tile[row][chunk ^ row % 8];
}

// Begins to copy rows and columns of a matrix from (first_row, first_column) on; zeros outside.
template <int kRows, int kChunks>
__device__ void copy_tile(uint4 (&to)[kRows][kChunks], const __nv_bfloat16* from, int rows,
                          int columns, int first_row, int first_column) {
#pragma unroll
  for (int i = 0; i < kRows * kChunks / kThreads; ++i) {
    const int at = i * kThreads + static_cast<int>(threadIdx.x);
    const int row = first_row + at / kChunks;
    const int column = first_column + at % kChunks * kChunk;
    const bool exists = row < rows && column < columns;
    const std::size_t chunk = exists ? static_cast<std::size_t>(row) * columns + column : 0;
    sm80::copy_16(chunk_of(to, at / kChunks, at % kChunks), from + chunk, exists);
  }
}

__device__ void multiply_tiles(Stage& stage, float (&sums)[kDown][kAcross][4], int warp_row,
                               int warp_column, int lane) {
#pragma unroll
  for (int step = 0; step < kDepth; step += kSteps) {
    std::uint32_t left[kDown][4];
    std::uint32_t right[kAcross / 2][4];  // two instructions' factors each
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
      const int row = warp_row + 16 * i + lane % 16;
      sm80::load_matrices(left[i], chunk_of(stage.a, row, step / kChunk + lane / 16));
    }
#pragma unroll
    for (int j = 0; j < kAcross / 2; ++j) {
      const int chunk = (warp_column + 16 * j) / kChunk + lane / 16;
      sm80::load_transposed(right[j], chunk_of(stage.b, step + lane % 16, chunk));
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
  extern __shared__ uint4 memory[];
  Stage* const stages = reinterpret_cast<Stage*>(memory);
  const int lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  const int warp_row = threadIdx.x / 64 * kWarpTile;
  const int warp_column = threadIdx.x / 32 % 2 * kWarpTile;

  const int phases = (k + kDepth - 1) / kDepth;
  const auto fill = [&](int phase) {
    if (phase < phases) {
      Stage& stage = stages[phase % kStages];
      copy_tile(stage.a, a, m, k, first_row, phase * kDepth);
      copy_tile(stage.b, b, k, n, phase * kDepth, first_column);
    }
    sm80::end_of_group();
  };
  for (int phase = 0; phase < kStages - 1; ++phase) fill(phase);
  float sums[kDown][kAcross][4] = {};
  for (int phase = 0; phase < phases; ++phase) {
    sm80::wait_for_all_but<kStages - 2>();
    __syncthreads();
    fill(phase + kStages - 1);
    multiply_tiles(stages[phase % kStages], sums, warp_row, warp_column, lane);
  }
  store(sums, c, first_row + warp_row, first_column + warp_column, m, n, lane);
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  CHECK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  multiply<<<grid, kThreads, kSharedBytes>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
