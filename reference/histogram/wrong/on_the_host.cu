// verdict: crashes
// pitfall: P44
// caught-by: case "seven bins"
// A loop on the host over pointers to device memory.
#include "histogram.h"

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  for (int b = 0; b < num_bins; ++b) bins[b] = 0;
  for (int i = 0; i < n; ++i) {
    if (values[i] < num_bins) bins[values[i]]++;
  }
}
