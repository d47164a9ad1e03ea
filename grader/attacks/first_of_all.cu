// family:  2 early exit
// tries:   runs before the harness, by a constructor of the highest priority, and leaves
// holds:   priorities are taken away: the harness has opened its files and waits for its own record
// over:    nothing
// ends:    any
// flag:    runs-before-main

#include <cstdlib>

#include "vecadd.h"

__attribute__((constructor(101))) static void first() {
  std::exit(0);
}

void vecadd(const float*, const float*, float*, int) {}
