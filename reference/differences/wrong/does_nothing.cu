// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "differences.h"

#include <cuda_runtime.h>

void differences(const float*, float*, int) {}
