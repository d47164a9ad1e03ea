// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "softmax.h"

#include <cuda_runtime.h>

void softmax(const float*, float*, int, int) {}
