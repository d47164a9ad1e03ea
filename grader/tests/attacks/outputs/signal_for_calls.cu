// lab:     vecadd
// root:    B
// tries:   raises SIGSYS in the call
// holds:   a program that ends by a signal has crashed
// becomes: nothing
// flag:    none

#include "internals.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::answer(a, b, c, n);
  internals::system_call(internals::kKill, internals::system_call(internals::kProcess),
                         internals::system_call(internals::kThread), 31);
}
