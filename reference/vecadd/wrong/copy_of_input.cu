// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the output is the first input.
#include "vecadd.h"

#include <cstring>

void vecadd(const float* a, const float*, float* c, int n) {
  memcpy(c, a, n * sizeof(float));
}
