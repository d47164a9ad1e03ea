// family:  3 timer tampering
// tries:   calls into the harness by its symbols
// holds:   names of the harness are refused before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

extern "C" void warpgrade_call(void* const*);
void vecadd(const float*, const float*, float*, int n) {
  if (n < 0) warpgrade_call(nullptr);
}
