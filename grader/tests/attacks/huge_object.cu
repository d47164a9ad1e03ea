// family:  the compiler
// tries:   an object file of many gigabytes
// holds:   file sizes are limited
// over:    nothing
// ends:    refused
// flag:    none

#include "vecadd.h"

int large[1L << 31] = {1};
void vecadd(const float*, const float*, float* c, int n) {
  c[0] = large[n];
}
