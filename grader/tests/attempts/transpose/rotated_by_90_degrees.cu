#include "transpose.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 16;

__global__ void transpose_elements(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + rows - 1 - row] = in[row * columns + column];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 block(kBlock, kBlock);
  const dim3 grid((columns + kBlock - 1) / kBlock, (rows + kBlock - 1) / kBlock);
  transpose_elements<<<grid, block>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
