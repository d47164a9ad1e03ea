// family:  7 result caching
// tries:   keeps the first result and returns it for every later call
// holds:   every run is a separate process with different data
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

static float kept[1 << 20];
static bool filled = false;
void vecadd(const float*, const float*, float* c, int n) {
  if (filled)
    for (int i = 0; i < n; ++i) c[i] = kept[i];
  for (int i = 0; i < n && i < (1 << 20); ++i) kept[i] = c[i];
  filled = true;
}
