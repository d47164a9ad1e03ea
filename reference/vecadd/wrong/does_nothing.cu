// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the output is never written.
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {}
