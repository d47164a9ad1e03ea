// family:  14 trivial output
// tries:   copies the first input
// holds:   data for which a copy of an input is wrong
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float* a, const float*, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i];
}
