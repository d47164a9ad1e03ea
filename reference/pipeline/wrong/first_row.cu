// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: a copy of the first row.
#include "pipeline.h"

#include <cuda_runtime.h>

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  if (rows == 0) {
    cudaMemsetAsync(out, 0, columns * sizeof(float));
  } else {
    cudaMemcpyAsync(out, in, columns * sizeof(float), cudaMemcpyDeviceToDevice);
  }
}
