#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>
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

constexpr int kBlock = 256;

__global__ void softmax_rows(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * kBlock + threadIdx.x;
  if (row >= rows) return;
  in += static_cast<size_t>(row) * columns;
  out += static_cast<size_t>(row) * columns;
  float largest = -INFINITY;
  for (int c = 0; c < columns; ++c) largest = fmaxf(largest, in[c]);
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += expf(in[c]);
  for (int c = 0; c < columns; ++c) out[c] = expf(in[c] - largest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<(rows + kBlock - 1) / kBlock, kBlock>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
