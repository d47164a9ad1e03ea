// family:  the compiler
// tries:   505 MB of padding in a section: enough room for one copy of the object, not for a second
// holds:   an error caused by the submission's own object is its build failure and stops nobody
//          else
// over:    nothing
// ends:    refused
// flag:    none

#include "vecadd.h"

extern __attribute__((section(".padding"))) const char padding[505 << 20] = {1};

void vecadd(const float*, const float*, float* c, int n) {
  c[0] = padding[n];
}
