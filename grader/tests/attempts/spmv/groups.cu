#include "spmv.h"

#include <cuda_runtime.h>

// kLanes neighbouring lanes share a row.
template <int kLanes>
__global__ void multiply_groups(const int* __restrict__ row_starts, const int* __restrict__ columns,
                                const float* __restrict__ values, const float* __restrict__ x,
                                float* __restrict__ y, int rows) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(thread / kLanes);
  const int lane = threadIdx.x % kLanes;

  float sum = 0.0f;  // groups without a row stay until the end
  if (row < rows) {
    const int end = row_starts[row + 1];
    for (int k = row_starts[row] + lane; k < end; k += kLanes) sum += values[k] * x[columns[k]];
  }

  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);

  if (lane == 0 && row < rows) y[row] = sum;
}

template <int kLanes>
void launch(const int* row_starts, const int* columns, const float* values, const float* x,
            float* y, int rows) {
  constexpr int kThreads = 256;
  constexpr int kRows = kThreads / kLanes;
  multiply_groups<kLanes><<<(rows - 1) / kRows + 1, kThreads>>>(row_starts, columns, values, x, y,
                                                               rows);
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  const int mean = nonzeros / rows;
  if (mean > 48) {
    launch<32>(row_starts, columns, values, x, y, rows);
  } else if (mean > 12) {
    launch<8>(row_starts, columns, values, x, y, rows);
  } else {
    launch<4>(row_starts, columns, values, x, y, rows);
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
