// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "sort.h"

#include <cuda_runtime.h>

void sort(const unsigned*, unsigned*, int) {}
