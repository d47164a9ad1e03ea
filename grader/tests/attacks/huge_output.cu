// family:  19 process attacks
// tries:   prints endlessly
// holds:   output beyond a limit is dropped, and the time limit ends the program
// over:    nothing
// ends:    any
// flag:    none

#include <cstdio>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int n) {
  while (n == 100) std::puts("still here, and going on for as long as it takes");
}
