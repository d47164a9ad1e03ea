// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the output is never written.
#include "scan.h"

void scan(const float*, float*, int, int) {}
