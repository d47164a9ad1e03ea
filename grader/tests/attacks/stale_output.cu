// family:  17 stale output
// tries:   writes the even elements and hopes that the rest still holds earlier results
// holds:   outputs are overwritten with a pattern before every run
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; i += 2) c[i] = a[i] + b[i];
}
