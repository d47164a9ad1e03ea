// family:  21 selective effort
// tries:   computes only the first thousand elements
// holds:   every element is compared
// over:    right
// ends:    any
// flag:    none

#include "right.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n < 1000 ? n : 1000);
}
