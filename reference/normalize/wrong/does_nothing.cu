// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "normalize.h"

void normalize(const float*, const float*, float*, int) {}
