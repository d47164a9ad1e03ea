// Rung 5: tiles that are not square, and larger.
//
// A block has 1024 threads at most, and here it has them all: 16 rows and 64 columns of C, in
// phases of 16 steps. A tile of A is 16 x 16, one of B 16 x 64. An element of A now serves 64
// threads and one of B 16. Rows, columns and depth need not be equal: the depth changes neither how
// often an element is loaded nor who needs it, only how often the block waits. The tile of A is the
// smaller one, so the first 256 threads load it; all of them wait for it.
//
// Cost: m * k * ceil(n / 64) + k * n * ceil(m / 16) floats, five eighths of rung 4.
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

constexpr int kRows = 16;  // of C a block
constexpr int kColumns = 64;  // of C a block
constexpr int kDepth = 16;  // steps per phase

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kRows][kDepth];
  __shared__ float b_tile[kDepth][kColumns];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kRows + y;
  const int column = blockIdx.x * kColumns + x;
  // The threads in another order, for loading A: 16 in a row instead of 64.
  const int t = y * kColumns + x;
  const int a_y = t / kDepth;
  const int a_x = t % kDepth;
  const int a_row = blockIdx.y * kRows + a_y;

  float sum = 0;
  for (int start = 0; start < k; start += kDepth) {
    if (a_y < kRows) {
      a_tile[a_y][a_x] = a_row < m && start + a_x < k ? a[a_row * k + start + a_x] : 0;
    }
    b_tile[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kColumns, kRows);
  const dim3 grid((n + kColumns - 1) / kColumns, (m + kRows - 1) / kRows);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
