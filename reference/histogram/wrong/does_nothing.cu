// verdict: fails-correctness
// pitfall: none
// caught-by: case "seven bins"
// An empty function: the bins keep their garbage.
#include "histogram.h"

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {}
