// family:  19 process attacks
// tries:   allocates all the memory it can get
// holds:   the resident memory of all its processes is limited
// over:    nothing
// ends:    any
// flag:    none

#include <cstdlib>
#include <cstring>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int n) {
  while (n == 100) std::memset(std::malloc(64 << 20), 1, 64 << 20);
}
