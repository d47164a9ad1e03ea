#include "gemm.h"

// 64x64 of C for each block of 16x16 threads, 4x4 for each thread.
namespace {

constexpr int kTile = 64, kDepth = 16, kSide = 16, kEach = kTile / kSide;

struct Matrix {
  const float* at;
  int rows, columns;
  __device__ float operator()(int r, int c) const {
    return r < rows && c < columns ? at[(size_t)r * columns + c] : 0.f;
  }
};

__global__ void multiply(Matrix a, Matrix b, float* c) {
  __shared__ float as[kDepth][kTile + 1];
  __shared__ float bs[kDepth][kTile];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int me = threadIdx.y * kSide + threadIdx.x;
  float sum[kEach][kEach] = {};

  for (int k0 = 0; k0 < a.columns; k0 += kDepth) {
    for (int i = me; i < kTile * kDepth; i += kSide * kSide) {
      as[i % kDepth][i / kDepth] = a(top + i / kDepth, k0 + i % kDepth);
      bs[i / kTile][i % kTile] = b(k0 + i / kTile, left + i % kTile);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float x[kEach], y[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) x[i] = as[k][threadIdx.y + i * kSide];
#pragma unroll
      for (int j = 0; j < kEach; ++j) y[j] = bs[k][threadIdx.x + j * kSide];
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int r = top + threadIdx.y + i * kSide, q = left + threadIdx.x + j * kSide;
      if (r < a.rows && q < b.columns) c[(size_t)r * b.columns + q] = sum[i][j];
    }
  }
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, dim3(kSide, kSide)>>>(Matrix{a, m, k}, Matrix{b, k, n}, c);
}
