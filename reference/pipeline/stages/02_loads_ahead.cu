// Rung 2: loads ahead of the additions.
//
// Loads do not depend on each other. A thread loads 16 rows into registers, and then adds them in
// their order: one wait for 16 rows. The loop over the registers is unrolled, since an index that
// is known at run time only would put them into local memory.
//
// Cost: the latency of memory for every 16 rows.
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
constexpr int kAhead = 16;

__global__ void add_columns(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * kColumns + threadIdx.x;
  if (column >= columns) return;
  const float* from = in + column;
  float sum = 0;
  int row = 0;
  for (; row + kAhead <= rows; row += kAhead) {
    float values[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) values[i] = from[static_cast<std::size_t>(row + i) * columns];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) sum += values[i];
  }
  for (; row < rows; ++row) sum += from[static_cast<std::size_t>(row) * columns];
  out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kColumns>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
