// family:  the compiler
// tries:   505 MB of padding in a section: room for one copy of the object, and not for the next
// holds:   what fails on the submission's own object is its failure to build, and stops nobody
// over:    nothing
// ends:    refused
// flag:    none

#include "vecadd.h"

extern __attribute__((section(".padding"))) const char padding[505 << 20] = {1};

void vecadd(const float*, const float*, float* c, int n) {
  c[0] = padding[n];
}
