#include "transpose.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;
constexpr int kPitch = kTile + 1;

__global__ void turn(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile * kPitch];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_column = blockIdx.x * kTile + threadIdx.x;
  if (in_row < rows && in_column < columns) {
    tile[threadIdx.y * kPitch + threadIdx.x] = in[static_cast<size_t>(in_row) * columns + in_column];
  }
  __syncthreads();

  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  if (out_row < columns && out_column < rows) {
    out[static_cast<size_t>(out_row) * rows + out_column] = tile[threadIdx.x * kTile + threadIdx.y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  turn<<<grid, block>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
