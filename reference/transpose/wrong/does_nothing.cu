// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "transpose.h"

#include <cuda_runtime.h>

void transpose(const float*, float*, int, int) {}
