// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: all zeros.
#include "scan.h"

#include <cuda_runtime.h>

void scan(const float*, float* sums, int n, int) {
  cudaMemset(sums, 0, n * sizeof(float));
}
