// Rung 11: two buffers, so that loading and multiplying overlap.
//
// While the block multiplies one pair of tiles, the floats of the next pair are on their way from
// global memory into registers; after the arithmetic they are put into the *other* pair of tiles.
// No thread reads what is being written, so one barrier per phase is enough: it says that the next
// pair is complete and that the current one is free.
//
// Cost: twice the shared memory, eight registers per thread for what is on its way. Traffic and
// arithmetic are those of rung 10; the time that a block waits for global memory is hidden behind
// its own arithmetic, and half of the barriers go.
#include "gemm.h"

#include <cuda_runtime.h>

#include <cstdint>
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

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kThreads = 256;  // 16 x 16, each with 4 x 4 elements of C
constexpr int kPitch = kTile + 4;

// By a pointer to one float: clang takes a cast of an array's element for no better aligned than a
// float, and reads four.
__device__ __forceinline__ float4 four_at(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

// Four neighbours of a row; 0 where there is no element. `wide`: rows begin at multiples of 16
// bytes.
__device__ float4 load4(const float* matrix, int row, int column, int rows, int columns,
                        bool wide) {
  float4 four = make_float4(0, 0, 0, 0);
  if (row >= rows || column >= columns) return four;
  const float* from = matrix + row * columns + column;
  if (wide) return *reinterpret_cast<const float4*>(from);
  four.x = from[0];
  if (column + 1 < columns) four.y = from[1];
  if (column + 2 < columns) four.z = from[2];
  if (column + 3 < columns) four.w = from[3];
  return four;
}

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k, bool wide_a,
                         bool wide_b, bool wide_c) {
  __shared__ __align__(16) float a_transposed[2][kDepth][kPitch];
  __shared__ __align__(16) float b_tile[2][kDepth][kTile];
  const int t = threadIdx.x;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  // What this thread loads, and which elements of the tile of C are its own.
  const int a_row = t / 2 % kTile;
  const int a_step = 4 * (t % 2 + 2 * (t / (2 * kTile)));
  const int b_step = t / (kTile / 4);
  const int b_column = 4 * (t % (kTile / 4));
  const int y = 4 * (t / 16);
  const int x = 4 * (t % 16);

  // The floats on their way; `keep` puts them into one of the two pairs of tiles.
  float4 p = load4(a, first_row + a_row, a_step, m, k, wide_a);
  float4 q = load4(b, b_step, first_column + b_column, k, n, wide_b);
  const auto keep = [&](int buffer) {
    a_transposed[buffer][a_step][a_row] = p.x;
    a_transposed[buffer][a_step + 1][a_row] = p.y;
    a_transposed[buffer][a_step + 2][a_row] = p.z;
    a_transposed[buffer][a_step + 3][a_row] = p.w;
    *reinterpret_cast<float4*>(&b_tile[buffer][b_step][b_column]) = q;
  };
  keep(0);
  __syncthreads();

  float sums[4][4] = {};
  int current = 0;
  for (int start = 0; start < k; start += kDepth) {
    const int next = start + kDepth;
    if (next < k) {
      p = load4(a, first_row + a_row, next + a_step, m, k, wide_a);
      q = load4(b, next + b_step, first_column + b_column, k, n, wide_b);
    }
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      const float4 l = four_at(&a_transposed[current][step][y]);
      const float4 r = four_at(&b_tile[current][step][x]);
      const float left[4] = {l.x, l.y, l.z, l.w};
      const float right[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    if (next < k) {
      keep(1 - current);
      __syncthreads();
      current = 1 - current;
    }
  }

  const int column = first_column + x;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + y + i;
    if (row >= m || column >= n) continue;
    float* to = c + row * n + column;
    if (wide_c) {
      *reinterpret_cast<float4*>(to) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (column + j < n) to[j] = sums[i][j];
      }
    }
  }
}

// Whether every row of the matrix begins at a multiple of 16 bytes.
bool is_wide(const float* matrix, int columns) {
  return reinterpret_cast<std::uintptr_t>(matrix) % sizeof(float4) == 0 && columns % 4 == 0;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(a, b, c, m, n, k, is_wide(a, k), is_wide(b, n), is_wide(c, n));
  CHECK(cudaGetLastError());
}
