// family:  9 work before the call
// tries:   computes in a static initialiser
// holds:   inputs do not exist before the call
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

static float* prepare() {
  static float made[1 << 16];
  for (int i = 0; i < (1 << 16); ++i) made[i] = 2.0f * i;
  return made;
}
static float* ready = prepare();
void vecadd(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n && i < (1 << 16); ++i) c[i] = ready[i];
}
