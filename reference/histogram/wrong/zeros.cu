// verdict: fails-correctness
// pitfall: none
// caught-by: case "one value"
// The bins are cleared, and nothing is counted.
#include "histogram.h"

#include <cuda_runtime.h>

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
}
