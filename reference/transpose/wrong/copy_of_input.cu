// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the input is copied.
#include "transpose.h"

#include <cuda_runtime.h>

void transpose(const float* in, float* out, int rows, int columns) {
  cudaMemcpy(out, in, sizeof(float) * rows * columns, cudaMemcpyDeviceToDevice);
}
