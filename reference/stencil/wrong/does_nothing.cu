// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "stencil.h"

#include <cuda_runtime.h>

void stencil(const float*, float*, int, int, int) {}
