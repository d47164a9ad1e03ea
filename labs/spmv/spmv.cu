#include "spmv.h"

#include <cuda_runtime.h>

// One thread per row.
constexpr int kBlock = 256;

__global__ void multiply(const int* row_starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  // TODO 1: which row has this thread? There may be no such row.

  // TODO 2: add up values[k] * x[columns[k]] over the row's elements. Where does the row begin, and
  // where does it end? What is the sum of a row without elements?

  // TODO 3: write the result.
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  // All arrays are in device memory already.

  // TODO 4: when is there nothing to do? Launch the kernel on enough blocks, and check the launch.

  // TODO 5: once all cases pass, look at the sectors of a load. Give a row to several neighboring
  // threads, which add up what they have with __shfl_down_sync. How many threads should a row get?
  // `nonzeros / rows` is known here, on the host.
}
