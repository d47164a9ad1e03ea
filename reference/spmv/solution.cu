// The reference solution: about half as many lanes per row as rows are long on average.
//
// A row of n elements in groups of L lanes takes ceil(n / L) steps, and log2(L) more to add up what
// the lanes have. With one lane there is nothing to add up, but neighboring lanes read elements
// that are a row apart; with 32 most lanes of a short row have no element. Between these, two steps
// for a row of average length waste least. L is at least 2, so that a warp reads no more than 16
// rows at a time.
#include "spmv.h"

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

namespace {

constexpr int kBlock = 256;
constexpr unsigned kAllLanes = 0xffffffff;

// @param kLanes  lanes per row: a power of two up to 32
template <int kLanes>
__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const int lane = threadIdx.x % kLanes;
  float sum = 0;
  if (row < rows) {
    const int end = row_starts[row + 1];
    for (int k = row_starts[row] + lane; k < end; k += kLanes) sum += values[k] * x[columns[k]];
  }
  // All lanes of the warp take part, those without a row, too.
  for (int d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(kAllLanes, sum, d, kLanes);
  if (lane == 0 && row < rows) y[row] = sum;
}

template <int kLanes>
void launch(const int* row_starts, const int* columns, const float* values, const float* x,
            float* y, int rows) {
  constexpr int kRows = kBlock / kLanes;  // per block
  multiply<kLanes><<<(rows + kRows - 1) / kRows, kBlock>>>(row_starts, columns, values, x, y, rows);
}

}  // namespace

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  const int mean = nonzeros / rows;
  if (mean <= 4) {
    launch<2>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 8) {
    launch<4>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 16) {
    launch<8>(row_starts, columns, values, x, y, rows);
  } else if (mean <= 32) {
    launch<16>(row_starts, columns, values, x, y, rows);
  } else {
    launch<32>(row_starts, columns, values, x, y, rows);
  }
  CHECK(cudaGetLastError());
}
