#include "transpose.h"

#include <cuda_runtime.h>

// 32 x 32 elements per block, but only 32 x 8 threads: each thread moves four elements.
template <int kSide, int kRows>
__global__ void transpose_kernel(const float* __restrict__ in, float* __restrict__ out, int rows,
                                 int columns) {
  __shared__ float tile[kSide][kSide + 1];

  int column = blockIdx.x * kSide + threadIdx.x;
  int row = blockIdx.y * kSide + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kSide; j += kRows) {
    if (column < columns && row + j < rows)
      tile[threadIdx.y + j][threadIdx.x] = in[static_cast<size_t>(row + j) * columns + column];
  }
  __syncthreads();

  column = blockIdx.y * kSide + threadIdx.x;  // in the output
  row = blockIdx.x * kSide + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kSide; j += kRows) {
    if (column < rows && row + j < columns)
      out[static_cast<size_t>(row + j) * rows + column] = tile[threadIdx.x][threadIdx.y];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  constexpr int kSide = 32, kRows = 8;
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_kernel<kSide, kRows><<<grid, dim3(kSide, kRows)>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
