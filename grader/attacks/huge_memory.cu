// family:  19 process attacks
// tries:   takes all the memory it can get
// holds:   resident memory of all its processes is watched
// over:    nothing
// ends:    any
// flag:    none

#include <cstdlib>
#include <cstring>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int n) {
  while (n == 100) std::memset(std::malloc(64 << 20), 1, 64 << 20);
}
