// lab:     gemm
// does:    copies the next tiles to shared memory with memcpy_async while it multiplies
// becomes: kept
// flag:    none

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include "gemm.h"

namespace cg = cooperative_groups;

constexpr int kColumns = 128;  // of C per block, a thread each
constexpr int kDepth = 8;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float rows[2][kDepth][kColumns];
  const cg::thread_block block = cg::this_thread_block();
  const int first_column = blockIdx.y * kColumns;
  const int columns = min(kColumns, n - first_column);
  const int phases = (k + kDepth - 1) / kDepth;
  const auto fetch = [&](int phase) {
    for (int i = 0; i < kDepth && phase * kDepth + i < k; ++i) {
      const size_t row = phase * kDepth + i;
      cg::memcpy_async(block, rows[phase % 2][i], b + row * n + first_column,
                       columns * sizeof(float));
    }
  };
  float sum = 0;
  if (phases > 0) fetch(0);
  for (int phase = 0; phase < phases; ++phase) {
    cg::wait(block);
    if (phase + 1 < phases) fetch(phase + 1);
    for (int i = 0; i < kDepth && phase * kDepth + i < k; ++i) {
      sum += a[static_cast<size_t>(blockIdx.x) * k + phase * kDepth + i] *
             rows[phase % 2][i][threadIdx.x < columns ? threadIdx.x : 0];
    }
    block.sync();  // before the tile is overwritten
  }
  if (threadIdx.x < columns) {
    c[static_cast<size_t>(blockIdx.x) * n + first_column + threadIdx.x] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3(m, (n + kColumns - 1) / kColumns), kColumns>>>(a, b, c, m, n, k);
}
