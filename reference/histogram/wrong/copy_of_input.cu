// verdict: fails-correctness
// pitfall: none
// caught-by: case "256 bins"
// The values themselves are put into the bins.
#include "histogram.h"

#include <cuda_runtime.h>

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  int both = n < num_bins ? n : num_bins;
  cudaMemcpy(bins, values, both * sizeof(unsigned int), cudaMemcpyDeviceToDevice);
}
