// family:  13 corrupting the check
// tries:   zeroes the inputs so that a zero output would be right
// holds:   expected values come from the parent's own inputs; a changed input is found
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    const_cast<float*>(a)[i] = 0;
    const_cast<float*>(b)[i] = 0;
    c[i] = 0;
  }
}
