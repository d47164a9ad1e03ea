#include "gemm.h"

#include <cuda_runtime.h>

#include <cstdio>

// Every thread computes two elements of a row of C, 32 columns apart: the element of A stays in L1
// then, and there are half as many blocks.
constexpr int kWidth = 32;
constexpr int kHeight = 8;
constexpr int kColumns = 2;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * kHeight + threadIdx.y;
  const int left = blockIdx.x * kWidth * kColumns + threadIdx.x;
  if (row >= m) return;

  const float* a_row = a + static_cast<size_t>(row) * k;
  float sum = 0;
  for (int which = 0; which < kColumns; ++which) {
    const int column = left + which * kWidth;
    if (column < n) {
      for (int l = 0; l < k; ++l) sum += a_row[l] * b[static_cast<size_t>(l) * n + column];
      c[static_cast<size_t>(row) * n + column] = sum;
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return;  // k == 0 is fine: the sums are 0 then
  const dim3 block(kWidth, kHeight);
  // m can be a million, and 65535 * 8 is only half of that
  for (int top = 0; top < m; top += 65535 * kHeight) {
    const int rows = m - top < 65535 * kHeight ? m - top : 65535 * kHeight;
    const dim3 grid((n + kWidth * kColumns - 1) / (kWidth * kColumns),
                    (rows + kHeight - 1) / kHeight);
    multiply<<<grid, block>>>(a + static_cast<size_t>(top) * k, b,
                              c + static_cast<size_t>(top) * n, rows, n, k);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::fprintf(stderr, "gemm: %s\n", cudaGetErrorString(error));
  }
}
