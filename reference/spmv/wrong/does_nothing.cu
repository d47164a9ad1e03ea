// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "spmv.h"

#include <cuda_runtime.h>

void spmv(const int*, const int*, const float*, const float*, float*, int, int) {}
