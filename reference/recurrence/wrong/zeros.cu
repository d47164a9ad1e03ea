// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: all results are 0.
#include "recurrence.h"

#include <cuda_runtime.h>

void recurrence(const unsigned*, unsigned* x, int n, unsigned) {
  cudaMemset(x, 0, n * sizeof(unsigned));
}
