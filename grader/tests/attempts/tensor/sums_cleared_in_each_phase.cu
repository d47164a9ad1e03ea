#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>

using namespace nvcuda;

constexpr int kTile = 64;
constexpr int kDepth = 32;
constexpr int kThreads = 128;
constexpr int kPitchA = kDepth + 8;
constexpr int kPitchB = kTile + 8;
constexpr int kPitchC = kTile + 4;

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m,
                         int n, int k) {
  __shared__ __align__(32) __nv_bfloat16 a_tile[kTile * kPitchA];
  __shared__ __align__(32) __nv_bfloat16 b_tile[kDepth * kPitchB];
  __shared__ __align__(32) float c_tile[kTile * kPitchC];

  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int warp = threadIdx.x / 32;
  const int wr = warp / 2 * 32, wc = warp % 2 * 32;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];

  for (int first = 0; first < k; first += kDepth) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int e = threadIdx.x; e < kTile * kDepth; e += kThreads) {
      const int r = e / kDepth, s = e % kDepth;
      a_tile[r * kPitchA + s] = row0 + r < m && first + s < k
                                    ? a[(size_t)(row0 + r) * k + first + s]
                                    : __float2bfloat16(0.0f);
    }
    for (int e = threadIdx.x; e < kDepth * kTile; e += kThreads) {
      const int s = e / kTile, j = e % kTile;
      b_tile[s * kPitchB + j] = first + s < k && col0 + j < n
                                    ? b[(size_t)(first + s) * n + col0 + j]
                                    : __float2bfloat16(0.0f);
    }
    __syncthreads();
    for (int step = 0; step < kDepth; step += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> right[2];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(left[i], &a_tile[(wr + 16 * i) * kPitchA + step], kPitchA);
      for (int j = 0; j < 2; ++j)
        wmma::load_matrix_sync(right[j], &b_tile[step * kPitchB + wc + 16 * j], kPitchB);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    __syncthreads();
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c_tile[(wr + 16 * i) * kPitchC + wc + 16 * j], sums[i][j], kPitchC,
                              wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const int r = e / kTile, j = e % kTile;
    if (row0 + r < m && col0 + j < n)
      c[(size_t)(row0 + r) * n + col0 + j] = __float2bfloat16(c_tile[r * kPitchC + j]);
  }
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(a, b, c, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
