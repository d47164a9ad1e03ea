// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the result is 0.
#include "operators.h"

#include <cuda_runtime.h>

void operators(const unsigned*, unsigned* result, int, int) {
  cudaMemset(result, 0, sizeof(unsigned));
}
