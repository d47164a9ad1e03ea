// family:  2 early exit
// tries:   runs before the harness in a constructor of the highest priority, and exits
// holds:   priorities are removed: the harness has opened its files by then and expects its own
//          record
// over:    nothing
// ends:    any
// flag:    runs-before-main

#include <cstdlib>

#include "vecadd.h"

__attribute__((constructor(101))) static void first() {
  std::exit(0);
}

void vecadd(const float*, const float*, float*, int) {}
