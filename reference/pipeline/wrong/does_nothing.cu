// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "pipeline.h"

#include <cuda_runtime.h>

void ordered_sums(const float*, float*, int, int) {}
