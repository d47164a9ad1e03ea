// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the keys are copied.
#include "sort.h"

#include <cuda_runtime.h>

void sort(const unsigned* keys, unsigned* sorted, int n) {
  cudaMemcpy(sorted, keys, sizeof(unsigned) * n, cudaMemcpyDeviceToDevice);
}
