// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the result is never written.
#include "convolution.h"

void convolution(const float*, const float*, float*, int, int, int, int) {}
