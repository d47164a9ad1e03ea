// family:  2 early exit
// tries:   runs code while the program is being loaded, before any constructor
// holds:   ifunc symbols, which are resolved by running code, are rejected before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include "vecadd.h"

static int one() {
  return 1;
}
#ifndef __CUDA_ARCH__  // clang looks for the function among those of the device, too
extern "C" {
void* choose_one() {
  return reinterpret_cast<void*>(&one);
}
int chosen() __attribute__((ifunc("choose_one")));
}
#else
int chosen();
#endif

void vecadd(const float*, const float*, float* c, int) {
  c[0] = chosen();
}
