// family:  the compiler
// tries:   asks the compiler to load a plugin
// holds:   no pragma or attribute loads one, and there is no such file
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

#pragma GCC optimize("plugin=/tmp/evil.so")
#pragma GCC plugin "/tmp/evil.so"
__attribute__((optimize("-fplugin=/tmp/evil.so"))) static int one() {
  return 1;
}
void vecadd(const float*, const float*, float* c, int n) {
  if (n > 0) c[0] = one();
}
