// family:  2 early exit
// tries:   calls exit(0) before anything is compared
// holds:   only the complete record of this run counts
// over:    nothing
// ends:    any
// flag:    ended-early

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  std::exit(0);
}
