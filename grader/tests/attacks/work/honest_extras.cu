// lab:     gemm
// tries:   honest: a warm-up kernel, a debugging printf and a flags array beside the product
// fails:   none
// flags:   none

#include <cstdio>

#include <cuda_runtime.h>

#include "gemm.h"

constexpr int kTile = 16;

__global__ void warm_up() {}

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k, int* done) {
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
  if (row >= m || column >= n) return;
  if (row == 0 && column == 0) printf("c[0][0] = %f\n", sum);
  c[row * n + column] = sum;
  if (x == 0 && y == 0) done[blockIdx.y * gridDim.x + blockIdx.x] = 1;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  warm_up<<<1, 32>>>();
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  int* done = nullptr;
  cudaMalloc(&done, sizeof(int) * grid.x * grid.y);
  cudaMemset(done, 0, sizeof(int) * grid.x * grid.y);
  multiply<<<grid, block>>>(a, b, c, m, n, k, done);
  int first = 0;
  cudaMemcpy(&first, done, sizeof first, cudaMemcpyDeviceToHost);
  if (first != 1) std::printf("the first block is missing\n");
  cudaFree(done);
}
