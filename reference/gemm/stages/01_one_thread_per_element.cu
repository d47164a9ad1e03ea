// Rung 1: one thread for each element of C.
//
// The grid is rounded up to whole blocks in both directions, so blocks at the right and lower edge
// have threads without an element; the guard excludes them. Neighbouring threads have
// neighbouring columns: a warp reads B in whole sectors, and the few rows of A that it needs are
// the same address for many threads.
//
// Cost: every thread loads its whole row and column, 2 * k floats for 2 * k operations. A is read n
// times and B m times: 2 * m * n * k floats in all, of which m * k + k * n are different. Memory,
// not arithmetic, sets the time.
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

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;  // also the result for k = 0
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid of no blocks is an error
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
