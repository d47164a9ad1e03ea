// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: nothing is written.
#include "attention.h"

void attention(const float*, const float*, const float*, float*, int, int, int, float, int) {}
