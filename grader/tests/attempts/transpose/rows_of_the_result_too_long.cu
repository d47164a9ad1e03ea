#include "transpose.h"

#include <cuda_runtime.h>

// A flat index over the elements of the result: neighbours in the result are neighbours in the grid.
__global__ void gather(const float* in, float* out, int rows, int columns) {
  const int total = rows * columns;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < total; at += gridDim.x * blockDim.x) {
    const int i = at % columns;
    const int j = at / columns;
    if (i < rows && j < columns) out[at] = in[i * columns + j];
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  const int blocks = (rows * columns + 255) / 256;
  gather<<<min(blocks, 4096), 256>>>(in, out, rows, columns);
}
