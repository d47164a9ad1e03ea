// family:  17 stale output
// tries:   writes the even elements and hopes that the rest still holds an answer
// holds:   outputs are poisoned before every run
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; i += 2) c[i] = a[i] + b[i];
}
