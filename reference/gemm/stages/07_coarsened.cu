// Rung 7: a thread computes four elements of C.
//
// A block of 16 x 16 threads takes 16 rows and 64 columns: four tiles of C side by side. They need
// the same tile of A, which would be loaded by four blocks otherwise, and each element of A that a
// thread fetches from shared memory serves its four sums.
//
// Cost: A is loaded ceil(n / 64) times instead of ceil(n / 16), and a multiply-add takes 1.25 loads
// from shared memory instead of 2. In return there are a quarter of the threads, each with four
// sums in registers: a small C may leave multiprocessors without work.
#include "gemm.h"

#include <cuda_runtime.h>

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

constexpr int kTile = 16;
constexpr int kCoarse = 4;  // tiles side by side, and elements of C a thread
constexpr int kColumns = kTile * kCoarse;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kColumns];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int first_column = blockIdx.x * kColumns + x;

  float sums[kCoarse] = {};
  for (int start = 0; start < k; start += kTile) {
    a_tile[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
    for (int j = 0; j < kCoarse; ++j) {
      const int column = first_column + j * kTile;
      b_tile[y][j * kTile + x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      const float left = a_tile[y][i];  // fetched once for all four
      for (int j = 0; j < kCoarse; ++j) sums[j] += left * b_tile[i][j * kTile + x];
    }
    __syncthreads();
  }
  for (int j = 0; j < kCoarse; ++j) {
    const int column = first_column + j * kTile;
    if (row < m && column < n) c[row * n + column] = sums[j];
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kColumns - 1) / kColumns, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
