// verdict: fails-correctness
// pitfall: P56
// caught-by: case "exact sums"
// Tensor cores in half precision for whole tiles, float for the rest.
#include "gemm.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __half as[16][16];
  __shared__ __half bs[16][16];
  __shared__ float cs[16][16];
  int first_row = blockIdx.y * 16, first_col = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int start = 0; start < k; start += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      int y = i / 16, x = i % 16;
      int row = first_row + y, col = first_col + x;
      as[y][x] = __float2half((row < m && start + x < k) ? a[row * k + start + x] : 0);
      bs[y][x] = __float2half((start + y < k && col < n) ? b[(start + y) * n + col] : 0);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::load_matrix_sync(left, &as[0][0], 16);
    wmma::load_matrix_sync(right, &bs[0][0], 16);
    wmma::mma_sync(sums, left, right, sums);
    __syncwarp();
  }
  wmma::store_matrix_sync(&cs[0][0], sums, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) {
    int row = first_row + i / 16, col = first_col + i % 16;
    if (row < m && col < n) c[row * n + col] = cs[i / 16][i % 16];
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + 15) / 16, (m + 15) / 16), 32>>>(a, b, c, m, n, k);
}
