// verdict: fails-correctness
// pitfall: P2
// caught-by: case "many rows"
// One warp per row, and the number of blocks is rounded down.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

constexpr int kRows = 8;  // per block
constexpr unsigned kAllLanes = 0xffffffff;

__global__ void softmax_rows(const float* in, float* out, int rows, int columns) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * kRows + threadIdx.y;
  if (row >= rows) return;
  in += static_cast<size_t>(row) * columns;
  out += static_cast<size_t>(row) * columns;
  float largest = -INFINITY;
  for (int c = lane; c < columns; c += 32) largest = fmaxf(largest, in[c]);
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, d));
  float sum = 0;
  for (int c = lane; c < columns; c += 32) sum += expf(in[c] - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(kAllLanes, sum, d);
  for (int c = lane; c < columns; c += 32) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows < kRows || columns == 0) return;
  softmax_rows<<<rows / kRows, dim3(32, kRows)>>>(in, out, rows, columns);
}
