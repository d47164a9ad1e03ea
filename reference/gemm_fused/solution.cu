// The reference solution: tiles of 32 x 32 elements, four of them per thread, with the epilogue in
// registers.
//
// A and B are both stored along l, so both tiles are loaded with neighboring threads along l, and
// transposed while they are stored into shared memory: a row of a tile has all rows of A (columns
// of B) of one l, padded by a word so that storing a column of it meets no bank twice.
#include "gemm_fused.h"

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

namespace {

constexpr int kTile = 32;  // elements of `out` per block, along each axis
constexpr int kDepth = 16;  // of a phase
constexpr int kSide = 16;  // threads along each axis
constexpr int kEach = kTile / kSide;  // elements per thread, along each axis

// Thread (tx, ty) has the rows ty, ty + 16, ... and the columns tx, tx + 16, ... of the block's
// elements: neighboring threads store neighboring elements, and read neighboring words.
__global__ void __launch_bounds__(kSide* kSide)
    layer(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  __shared__ float a_tile[kDepth][kTile + 1];
  __shared__ float b_tile[kDepth][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int first = 0; first < k; first += kDepth) {
    const int l = first + tx;
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
      const int row = top + ty + r * kSide;
      const int col = left + ty + r * kSide;
      a_tile[tx][ty + r * kSide] = row < m && l < k ? a[row * k + l] : 0;
      b_tile[tx][ty + r * kSide] = col < n && l < k ? b[col * k + l] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float left_factor[kEach];
#pragma unroll
      for (int r = 0; r < kEach; ++r) left_factor[r] = a_tile[i][ty + r * kSide];
#pragma unroll
      for (int s = 0; s < kEach; ++s) {
        const float right_factor = b_tile[i][tx + s * kSide];
#pragma unroll
        for (int r = 0; r < kEach; ++r) sum[r][s] += left_factor[r] * right_factor;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kEach; ++r) {
#pragma unroll
    for (int s = 0; s < kEach; ++s) {
      const int row = top + ty + r * kSide;
      const int col = left + tx + s * kSide;
      if (row < m && col < n) out[row * n + col] = fmaxf(sum[r][s] + c[row * n + col], 0.0f);
    }
  }
}

}  // namespace

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kSide, kSide);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  layer<<<grid, block>>>(a, b, c, out, m, n, k);
  CHECK(cudaGetLastError());
}
