// lab:     vecadd
// root:    B
// tries:   sends itself SIGKILL, and then exits with the code by which the sandbox reports that
// holds:   a program in the sandbox can do neither: both stand for an end from outside, which
//          costs nothing
// becomes: nothing
// flag:    none

#include <cstdlib>

#include "internals.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::answer(a, b, c, n);
  internals::system_call(internals::kKill, internals::system_call(internals::kProcess),
                         internals::system_call(internals::kThread), 9);
  std::exit(137);
}
