#include "spmv.h"

#include <cuda_runtime.h>

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr int kThreads = 256;

template <int L>
__global__ void rows_by_groups(const int* row_starts, const int* columns, const float* values,
                               const float* x, float* y, int rows) {
  const int row = (blockIdx.x * kThreads + threadIdx.x) / L;
  const int lane = threadIdx.x % L;
  float sum = 0.0f;
  if (row < rows) {
    const int end = row_starts[row + 1];
    for (int k = row_starts[row] + lane; k < end; k += L) sum += values[k] * x[columns[k]];
  }
#pragma unroll
  for (int d = L; d > 0; d /= 2) sum += __shfl_down_sync(kAll, sum, d);
  if (row < rows && lane == 0) y[row] = sum;
}

}  // namespace

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows <= 0) return;
  constexpr int L = 8;
  const int blocks = (rows + kThreads / L - 1) / (kThreads / L);
  rows_by_groups<L><<<blocks, kThreads>>>(row_starts, columns, values, x, y, rows);
  if (cudaGetLastError() != cudaSuccess) return;
}
