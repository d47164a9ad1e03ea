// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the result is never written.
#include "reduction.h"

void reduction(const float*, float*, int, int) {}
