// Rung 5: tiles that are not square.
//
// A block still computes 32 x 32 elements of C, for a block has 1024 threads at most, but a phase
// is 64 steps deep: a tile of A is 32 x 64, one of B 64 x 32. How deep a phase is changes neither
// how often an element is loaded nor who needs it, so the depth is free to choose. Each thread now
// loads two elements of each tile, which are on their way at the same time, and half of the
// barriers go.
//
// Cost: the traffic of rung 4, half of its barriers, 16 KB of shared memory a block.
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

constexpr int kTile = 32;  // rows and columns of C
constexpr int kDepth = 64;  // steps a phase

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kDepth];
  __shared__ float b_tile[kDepth][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;

  float sum = 0;
  for (int start = 0; start < k; start += kDepth) {
    for (int i = 0; i < kDepth; i += kTile) {
      const int step_a = start + i + x;
      const int step_b = start + i + y;
      a_tile[y][i + x] = row < m && step_a < k ? a[row * k + step_a] : 0;
      b_tile[i + y][x] = step_b < k && column < n ? b[step_b * n + column] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
