// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "gemm_fused.h"

void gemm_fused(const float*, const float*, const float*, float*, int, int, int) {}
