#include "pipeline.h"

#include <cuda_runtime.h>

#include <cstddef>
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

constexpr int kColumns = 32;

__global__ void add_columns(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * kColumns + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = rows - 1; row >= 0; --row) sum += in[static_cast<std::size_t>(row) * columns + column];
  out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kColumns>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
