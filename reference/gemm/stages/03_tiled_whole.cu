// Rung 3: the threads of a block share what they load, in tiles of 16 x 16.
//
// The long sum over k is cut into phases of 16 steps. In each phase the block's 256 threads load
// one element of A and one of B each into shared memory, and every thread then uses 16 elements of
// each: a float from global memory serves 16 threads. Two barriers per phase: one so that no
// thread reads what is not loaded yet, one so that none overwrites what is still read.
//
// This rung knows whole tiles only. Where an extent is not a multiple of 16 it falls back to rung
// 1's kernel; rung 4 mends that.
//
// Cost: m * k * n / 16 + k * n * m / 16 floats from global memory, a 16th of rung 1. Now shared
// memory is busy: two loads for each multiply-add.
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

__global__ void multiply_whole_tiles(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;

  float sum = 0;
  for (int start = 0; start < k; start += kTile) {
    a_tile[y][x] = a[row * k + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    __syncthreads();  // the tiles are complete
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // all threads have read them
  }
  c[row * n + column] = sum;
}

__global__ void multiply_any(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  if (m % kTile == 0 && n % kTile == 0 && k % kTile == 0) {
    multiply_whole_tiles<<<grid, block>>>(a, b, c, n, k);
  } else {
    multiply_any<<<grid, block>>>(a, b, c, m, n, k);
  }
  CHECK(cudaGetLastError());
}
