// lab:     vecadd
// root:    B
// tries:   an initializer finds the nonce in memory, and writes a fault of the harness to the
//          record
// holds:   a fault after the record says that the files are open is the submission's end
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

#include <cstdio>

__attribute__((constructor)) static void blame() {
  char text[100];
  std::snprintf(text, sizeof text, "fault %s no CUDA device\n", internals::nonce());
  internals::write_everywhere(text);
  std::exit(70);
}

void vecadd(const float*, const float*, float*, int) {}
