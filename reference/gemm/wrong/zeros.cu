// verdict: fails-correctness
// pitfall: none
// caught-by: case "one tile"
// Trivial: all zeros, which is right for k = 0 only.
#include "gemm.h"

#include <cuda_runtime.h>

void gemm(const float*, const float*, float* c, int m, int n, int) {
  cudaMemset(c, 0, sizeof(float) * m * n);
}
