// lab:     vecadd
// root:    A
// tries:   reports the end of the call itself, and then adds on the host
// holds:   the outputs are frozen at the first end, and the second one ends the session
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::end_call();
  internals::answer(a, b, c, n);
}
