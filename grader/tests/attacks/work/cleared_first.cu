// lab:     transpose
// tries:   honest: transposes with a kernel, after clearing the output with cudaMemset
// fails:   none
// flags:   none
// speed:   all

#include <cuda_runtime.h>

#include "transpose.h"

constexpr int kTile = 32;

__global__ void turn(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += 8) {
    const int row = blockIdx.y * kTile + y;
    if (row < rows && x < columns)
      tile[y][threadIdx.x] = in[static_cast<size_t>(row) * columns + x];
  }
  __syncthreads();
  const int to = blockIdx.y * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += 8) {
    const int row = blockIdx.x * kTile + y;
    if (row < columns && to < rows)
      out[static_cast<size_t>(row) * rows + to] = tile[threadIdx.x][y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  cudaMemsetAsync(out, 0, sizeof(float) * rows);
  turn<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, columns);
}
