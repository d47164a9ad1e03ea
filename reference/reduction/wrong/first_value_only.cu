// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the result is the first value.
#include "reduction.h"

#include <cuda_runtime.h>

void reduction(const float* values, float* result, int n, int) {
  if (n > 0) cudaMemcpy(result, values, sizeof(float), cudaMemcpyDeviceToDevice);
}
