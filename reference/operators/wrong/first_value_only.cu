// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the first value is the result.
#include "operators.h"

#include <cuda_runtime.h>

void operators(const unsigned* values, unsigned* result, int n, int) {
  if (n > 0) cudaMemcpy(result, values, sizeof(unsigned), cudaMemcpyDeviceToDevice);
}
