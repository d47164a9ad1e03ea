// verdict: fails-correctness
// pitfall: none
// caught-by: case "one tile"
// Trivial: returns at once.
#include "gemm.h"

void gemm(const float*, const float*, float*, int, int, int) {}
