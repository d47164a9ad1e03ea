// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: all zeros.
#include "vecadd.h"

#include <cstring>

void vecadd(const float*, const float*, float* c, int n) {
  memset(c, 0, n * sizeof(float));
}
