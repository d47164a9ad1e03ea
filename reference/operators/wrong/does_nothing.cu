// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "operators.h"

void operators(const unsigned*, unsigned*, int, int) {}
