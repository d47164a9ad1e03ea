// lab:     vecadd
// root:    A
// tries:   adds on the host, completes the record with the nonce from memory, and ends the program
//          in the call
// holds:   without the end of the call there are no outputs, whatever the record says
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

#include <cstdio>

void vecadd(const float* a, const float* b, float* c, int n) {
  internals::answer(a, b, c, n);
  char text[200];
  std::snprintf(text, sizeof text, "returned\nhost-seconds 0.1\nevent-ms 0.1\ndone %s\n",
                internals::nonce());
  internals::write_everywhere(text);
  std::exit(0);
}
