// lab:     vecadd
// root:    B
// tries:   writes such a fault, and raises SIGSYS, as a rejected system call would
// holds:   a fault after the record says that the files are open is the submission's end
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

#include <cstdio>

__attribute__((constructor)) static void blame() {
  char text[100];
  std::snprintf(text, sizeof text, "fault %s the filter rejected a system call\n",
                internals::nonce());
  internals::write_everywhere(text);
  internals::system_call(internals::kKill, internals::system_call(internals::kProcess),
                         internals::system_call(internals::kThread), 31);
}

void vecadd(const float*, const float*, float*, int) {}
