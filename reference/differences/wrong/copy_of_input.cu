// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the values are copied.
#include "differences.h"

#include <cuda_runtime.h>

void differences(const float* values, float* result, int n) {
  cudaMemcpy(result, values, sizeof(float) * n, cudaMemcpyDeviceToDevice);
}
