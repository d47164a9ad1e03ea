// verdict: fails-correctness
// pitfall: P34
// caught-by: case "one long row"
// Shares of rows are added to results that are not initialized to 0.
#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kEach = 4;  // elements per thread
constexpr int kTile = kBlock * kEach;

// The row of element k: the last one that begins at or before k.
__device__ int row_of(const int* row_starts, int rows, int k) {
  int low = 0;
  int high = rows;  // row_starts[low] <= k < row_starts[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (row_starts[middle] <= k) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void __launch_bounds__(kBlock)
    multiply(const int* row_starts, const int* columns, const float* values, const float* x,
             float* y, int rows, int nonzeros) {
  __shared__ float products[kTile];
  __shared__ int bounds[2];
  const int begin = blockIdx.x * kTile;
  const int end = min(begin + kTile, nonzeros);
  if (threadIdx.x < 2) {
    bounds[threadIdx.x] = row_of(row_starts, rows, threadIdx.x == 0 ? begin : end - 1);
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int k = begin + i * kBlock + threadIdx.x;
    if (k < end) products[k - begin] = values[k] * x[columns[k]];
  }
  __syncthreads();
  for (int row = bounds[0] + threadIdx.x; row <= bounds[1]; row += kBlock) {
    const int from = row_starts[row];
    const int to = row_starts[row + 1];
    float sum = 0;
    for (int k = max(from, begin); k < min(to, end); ++k) sum += products[k - begin];
    if (from >= begin && to <= end) {
      y[row] = sum;
    } else {
      atomicAdd(&y[row], sum);
    }
  }
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  if (nonzeros == 0) return;
  multiply<<<(nonzeros + kTile - 1) / kTile, kBlock>>>(row_starts, columns, values, x, y, rows,
                                                       nonzeros);
}
