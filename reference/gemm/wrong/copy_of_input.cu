// verdict: fails-correctness
// pitfall: none
// caught-by: case "one tile"
// Trivial: as much of A as fits.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>

void gemm(const float* a, const float*, float* c, int m, int n, int k) {
  cudaMemset(c, 0, sizeof(float) * m * n);
  cudaMemcpy(c, a, sizeof(float) * m * std::min(n, k), cudaMemcpyDeviceToDevice);
}
