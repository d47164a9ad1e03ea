#include "spmv_jds.h"

void spmv_jds(const int* row_order, const int* row_lengths, const int* diagonal_starts,
              const int* columns, const float* values, const float* x, float* y, int rows) {
  // TODO: launch a kernel.
}
