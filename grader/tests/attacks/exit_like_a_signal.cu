// family:  2 early exit
// tries:   exits with the code that a shell reports for a crash
// holds:   nothing but the complete record of this run counts
// over:    nothing
// ends:    any
// flag:    none

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  std::exit(139);
}
