// family:  2 early exit
// tries:   ends the program with success before main starts
// holds:   only the complete record of this run counts
// over:    nothing
// ends:    any
// flag:    runs-before-main

#include <cstdlib>
#include "vecadd.h"

__attribute__((constructor)) static void first() {
  std::exit(0);
}
void vecadd(const float*, const float*, float*, int) {}
