#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;
using bf16 = __nv_bfloat16;

constexpr int kTile = 32;  // results of a block along each side: one warp per 16 x 16 of them
constexpr int kDepth = 16;

__global__ void multiply(const bf16* a, const bf16* b, bf16* c, int m, int n, int k) {
  __shared__ __align__(32) bf16 a_tile[kTile * kDepth];
  __shared__ __align__(32) bf16 b_tile[kDepth * kTile];
  __shared__ __align__(32) float c_tile[kTile * kTile];
  const int row0 = blockIdx.y * kTile;
  const int column0 = blockIdx.x * kTile;
  const int warp = threadIdx.x / 32;
  const int wr = warp / 2 * 16;
  const int wc = warp % 2 * 16;

  wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);

  for (int first = 0; first < k; first += kDepth) {
    for (int e = threadIdx.x; e < kTile * kDepth; e += blockDim.x) {
      const int r = row0 + e / kDepth;
      const int l = first + e % kDepth;
      a_tile[e] = r < m && l < k ? a[static_cast<size_t>(r) * k + l] : __float2bfloat16(0.0f);
    }
    for (int e = threadIdx.x; e < kDepth * kTile; e += blockDim.x) {
      const int l = first + e / kTile;
      const int j = column0 + e % kTile;
      b_tile[e] = l < k && j < n ? b[static_cast<size_t>(l) * n + j] : __float2bfloat16(0.0f);
    }
    __syncthreads();
    wmma::load_matrix_sync(left, a_tile + wr * kDepth, kDepth);
    wmma::load_matrix_sync(right, b_tile + wc, kTile);
    wmma::mma_sync(sums, left, right, sums);
    __syncthreads();
  }
  wmma::store_matrix_sync(c_tile + wr * kTile + wc, sums, kTile, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < kTile * kTile; e += blockDim.x) {
    const int r = row0 + e / kTile;
    const int j = column0 + e % kTile;
    if (r < m && j < n) c[static_cast<size_t>(r) * n + j] = __float2bfloat16(c_tile[e]);
  }
}

void gemm_bf16(const bf16* a, const bf16* b, bf16* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), 128>>>(a, b, c, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
