// family:  14 trivial output
// tries:   writes zeros
// holds:   data for which zeros are wrong
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = 0;
}
