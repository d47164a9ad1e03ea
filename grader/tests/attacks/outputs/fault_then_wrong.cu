// lab:     vecadd
// root:    B
// tries:   writes such a fault before main, and goes on to a wrong sum
// holds:   a complete record with wrong outputs is wrong
// becomes: nothing
// flag:    none

#include "internals.cuh"
#include "vecadd.h"

#include <cstdio>

__attribute__((constructor)) static void blame() {
  char text[100];
  std::snprintf(text, sizeof text, "fault %s no CUDA device\n", internals::nonce());
  internals::write_everywhere(text);
}

void vecadd(const float*, const float*, float*, int) {}
