// lab:     transpose
// does:    has blocks of 7 x 5 x 3 threads, in a grid of three dimensions that is too large
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "transpose.h"

__global__ void move(const float* in, float* out, int rows, int columns) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const long long at = static_cast<long long>(block) * (7 * 5 * 3) + thread;
  if (at >= static_cast<long long>(rows) * columns) return;
  out[at % columns * rows + at / columns] = in[at];
}

void transpose(const float* in, float* out, int rows, int columns) {
  const long long all = static_cast<long long>(rows) * columns;
  if (all == 0) return;
  const long long blocks = (all + 104) / 105;
  const unsigned layer = 11 * 13;
  const dim3 grid(11, 13, static_cast<unsigned>((blocks + layer - 1) / layer));
  if (grid.z > 65535) {
    move<<<static_cast<unsigned>(blocks), dim3(7, 5, 3)>>>(in, out, rows, columns);
  } else {
    move<<<grid, dim3(7, 5, 3)>>>(in, out, rows, columns);
  }
}
