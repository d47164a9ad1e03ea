#include "spmv.h"

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows) {
  // TODO: launch a kernel.
}
