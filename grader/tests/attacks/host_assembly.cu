// family:  19 process attacks
// tries:   inline assembly in host code, with the keyword made by a macro
// holds:   host code is searched after all macros are expanded
// over:    nothing
// ends:    refused
// flag:    host-assembly

#include "vecadd.h"

#define PASTE(a, b) a##b

void vecadd(const float*, const float*, float*, int) {
#line 1 "/usr/include/stdio.h"
  PASTE(as, m) volatile("nop");
}
