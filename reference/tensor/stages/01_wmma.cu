// Rung 1: tensor cores by CUDA's own interface, WMMA.
//
// A block of four warps has 64 x 64 elements of C, a warp 32 x 32 of them: 2 x 2 fragments of 16 x
// 16 sums. A and B pass through shared memory, 32 steps of k at a time. What is outside the
// matrices is 0 there. Which lane has which element of a fragment is not specified, so the sums
// pass through shared memory, too, where they are rounded.
//
// Cost: load_matrix_sync() knows nothing of the layout that the instructions need, and takes
// several loads for what ldmatrix does in one. On Hopper the instruction behind mma_sync() has two
// thirds of the rate of the tensor cores at most. While tiles are loaded, nothing is multiplied.
#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

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

namespace wmma = nvcuda::wmma;

constexpr int kTile = 64;  // rows and columns of C per block
constexpr int kDepth = 32;
constexpr int kPiece = 16;  // rows, columns and steps of a fragment
constexpr int kThreads = 128;  // 2 x 2 warps
constexpr int kWarpTile = 32;
constexpr int kChunk = 8;  // elements of 16 bytes
// Rows that begin in other banks than the rows above.
constexpr int kPitchA = kDepth + kChunk;
constexpr int kPitchB = kTile + kChunk;
constexpr int kPitchC = kTile + 4;

union Shared {
  struct {
    __nv_bfloat16 a[kTile * kPitchA];
    __nv_bfloat16 b[kDepth * kPitchB];
  } factors;
  float c[kTile * kPitchC];
};

// Copies 16 bytes, or zeros unless they exist.
__device__ void load_chunk(__nv_bfloat16* to, const __nv_bfloat16* from, bool exists) {
  *reinterpret_cast<uint4*>(to) =
      exists ? *reinterpret_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
}

__global__ void __launch_bounds__(kThreads) multiply(const __nv_bfloat16* a, const __nv_bfloat16* b,
                                                     __nv_bfloat16* c, int m, int n, int k) {
  __shared__ __align__(32) Shared shared;
  const int t = threadIdx.x;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  const int warp_row = t / 64 * kWarpTile;
  const int warp_column = t / 32 % 2 * kWarpTile;

  wmma::fragment<wmma::accumulator, kPiece, kPiece, kPiece, float> sums[2][2];
  for (auto& row : sums) {
    for (auto& sum : row) wmma::fill_fragment(sum, 0);
  }
  for (int start = 0; start < k; start += kDepth) {
    for (int i = t; i < kTile * kDepth / kChunk; i += kThreads) {
      const int row = i / (kDepth / kChunk);
      const int step = i % (kDepth / kChunk) * kChunk;
      load_chunk(&shared.factors.a[row * kPitchA + step],
                 a + static_cast<std::size_t>(first_row + row) * k + start + step,
                 first_row + row < m && start + step < k);
    }
    for (int i = t; i < kDepth * kTile / kChunk; i += kThreads) {
      const int step = i / (kTile / kChunk);
      const int column = i % (kTile / kChunk) * kChunk;
      load_chunk(&shared.factors.b[step * kPitchB + column],
                 b + static_cast<std::size_t>(start + step) * n + first_column + column,
                 start + step < k && first_column + column < n);
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kDepth; step += kPiece) {
      wmma::fragment<wmma::matrix_a, kPiece, kPiece, kPiece, __nv_bfloat16, wmma::row_major>
          left[2];
      wmma::fragment<wmma::matrix_b, kPiece, kPiece, kPiece, __nv_bfloat16, wmma::row_major>
          right[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(left[i], &shared.factors.a[(warp_row + i * kPiece) * kPitchA + step],
                               kPitchA);
        wmma::load_matrix_sync(
            right[i], &shared.factors.b[step * kPitchB + warp_column + i * kPiece], kPitchB);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      float* const to = &shared.c[(warp_row + i * kPiece) * kPitchC + warp_column + j * kPiece];
      wmma::store_matrix_sync(to, sums[i][j], kPitchC, wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int i = t; i < kTile * kTile / 2; i += kThreads) {
    const int row = i / (kTile / 2);
    const int column = i % (kTile / 2) * 2;
    if (first_row + row >= m || first_column + column >= n) continue;
    const float* const from = &shared.c[row * kPitchC + column];
    const std::size_t at = static_cast<std::size_t>(first_row + row) * n + first_column + column;
    *reinterpret_cast<__nv_bfloat162*>(c + at) = __floats2bfloat162_rn(from[0], from[1]);
  }
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
