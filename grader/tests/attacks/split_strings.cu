// family:  the compiler
// tries:   writes file names as adjacent string literals, which the compiler concatenates
// holds:   string literals are concatenated before they are searched
// over:    right
// ends:    any
// flag:    looks-around

#include "right.cuh"
#include "vecadd.h"

const char* environment =
    "/pro"
    "c/self/\x65nviron";

void vecadd(const float* a, const float* b, float* c, int n) {
  if (environment[0] == '/') add_on_device(a, b, c, n);
}
