// family:  3 timer tampering
// tries:   calls functions of the harness by their symbols
// holds:   names of the harness are rejected before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

extern "C" void warpgrade_call(void* const*);
void vecadd(const float*, const float*, float*, int n) {
  if (n < 0) warpgrade_call(nullptr);
}
