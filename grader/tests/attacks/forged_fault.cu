// family:  22 blaming the grader
// tries:   prints a line "fault ..." into the record through another descriptor
// holds:   a fault counts only with the nonce of this run, and before the call
// over:    nothing
// ends:    any
// flag:    none

#include <cstdio>
#include <cstdlib>
#include "vecadd.h"

void vecadd(const float*, const float*, float*, int) {
  for (int descriptor = 3; descriptor < 32; ++descriptor) {
    stdout->_fileno = descriptor;
    std::printf("started\nfault no device\nfault 00000000000000000000000000000000 no device\n");
    std::fflush(stdout);
  }
  std::abort();
}
