// family:  19 process attacks
// tries:   starts a process with forkpty that continues after this one has ended
// holds:   functions that start processes are rejected before linking; the filter rejects the calls
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <pty.h>

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  int terminal = 0;
  if (forkpty(&terminal, nullptr, nullptr, nullptr) == 0) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
}
