// family:  2 early exit
// tries:   calls _exit(0), which skips exit handlers
// holds:   only the complete record of this run counts
// over:    nothing
// ends:    any
// flag:    ended-early

#include <unistd.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  _exit(0);
}
