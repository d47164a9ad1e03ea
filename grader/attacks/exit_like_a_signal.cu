// family:  2 early exit
// tries:   ends with the code that a shell gives a crash
// holds:   no way of ending counts but the complete record
// over:    nothing
// ends:    any
// flag:    none

#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  std::exit(139);
}
