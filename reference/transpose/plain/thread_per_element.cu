// One thread per element.
#include "transpose.h"

#include <cuda_runtime.h>

__global__ void transpose_elements(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + 15) / 16, (rows + 15) / 16);
  transpose_elements<<<grid, dim3(16, 16)>>>(in, out, rows, columns);
}
