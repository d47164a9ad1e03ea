// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the values themselves.
#include "scan.h"

#include <cuda_runtime.h>

void scan(const float* values, float* sums, int n, int) {
  cudaMemcpy(sums, values, n * sizeof(float), cudaMemcpyDeviceToDevice);
}
