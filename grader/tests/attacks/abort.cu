// family:  2 early exit
// tries:   abort() with the outputs written
// holds:   only the complete record of this run counts
// over:    nothing
// ends:    any
// flag:    none

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  std::abort();
}
