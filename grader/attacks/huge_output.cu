// family:  19 process attacks
// tries:   prints without end
// holds:   what is printed beyond a limit is dropped, and the clock ends it
// over:    nothing
// ends:    any
// flag:    none

#include <cstdio>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int n) {
  while (n == 100) std::puts("still here, and going on for as long as it takes");
}
