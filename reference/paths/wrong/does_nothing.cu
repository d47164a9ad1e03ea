// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "paths.h"

void apply_curves(const float*, float*, int) {}
