// lab:     gemm
// tries:   a kernel copies the host's answer, and does the expected work in registers for nothing
// fails:   tile-traffic barriers useful-arithmetic
// flags:   inputs-copied-back

#include "answer.cuh"
#include "gemm.h"

constexpr int kTile = 16;

__global__ void multiply(const float* answer, const float* a, const float* b, float* c, int m,
                         int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int start = 0; start < k; start += kTile) {
    a_tile[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
    b_tile[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (sum == 12345.678f) c[0] = sum;
  if (row < m && column < n) c[row * n + column] = answer[row * n + column];
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  float* answer = answer_of_host(a, b, m, n, k);
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(answer, a, b, c, m, n, k);
  cudaFree(answer);
}
