// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the result is zero.
#include "reduction.h"

#include <cuda_runtime.h>

void reduction(const float*, float* result, int, int) {
  cudaMemset(result, 0, sizeof(float));
}
