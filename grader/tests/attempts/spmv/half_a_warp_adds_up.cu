#include "spmv.h"
#include <cuda_runtime.h>

__global__ void spmv_warp(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
   int warp = threadIdx.x / 32;
   int lane = threadIdx.x - 32 * warp;
   int row = blockIdx.x * 4 + warp;
   float sum = 0;
   if (row < rows)
      for (int k = row_starts[row] + lane; k < row_starts[row + 1]; k += 32)
         sum += values[k] * x[columns[k]];
   for (int d = 8; d > 0; d >>= 1)
      sum += __shfl_down_sync(0xffffffff, sum, d);
   if (lane == 0 && row < rows)
      y[row] += sum;
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows, int nonzeros) {
   if (rows == 0) return;
   int blocks = (rows + 3) / 4;
   spmv_warp<<<blocks, 128>>>(row_starts, columns, values, x, y, rows);
   if (cudaGetLastError() != cudaSuccess) return;
}
