// Rung 9: a tile of C in registers, 4 x 4 elements per thread.
//
// Coarsened in both directions: for each step a thread fetches 4 elements of A and 4 of B from
// shared memory and makes 16 multiply-adds of them. A block of 16 x 16 threads has 64 x 64 elements
// of C. A thread's rows and columns lie 16 apart, so that the lanes of a warp read neighbours.
//
// Cost: m * k * ceil(n / 64) + k * n * ceil(m / 64) floats from global memory, and half a load from
// shared memory a multiply-add, a quarter of rung 6. The sums take 16 registers; the loops over
// them must be unrolled, for registers have no index.
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

constexpr int kThreads = 16;  // in each direction
constexpr int kEach = 4;  // rows and columns of C a thread
constexpr int kTile = kThreads * kEach;
constexpr int kDepth = 16;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kDepth];
  __shared__ float b_tile[kDepth][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_row = blockIdx.y * kTile + y;
  const int first_column = blockIdx.x * kTile + x;

  float sums[kEach][kEach] = {};
  for (int start = 0; start < k; start += kDepth) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + i * kThreads;
      const int column = first_column + i * kThreads;
      a_tile[y + i * kThreads][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
      b_tile[y][x + i * kThreads] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      float left[kEach];
      float right[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        left[i] = a_tile[y + i * kThreads][step];
        right[i] = b_tile[step][x + i * kThreads];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + i * kThreads;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int column = first_column + j * kThreads;
      if (row < m && column < n) c[row * n + column] = sums[i][j];
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kThreads, kThreads);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
