// family:  19 process attacks
// tries:   starts a process with forkpty, and writes on when this one has ended
// holds:   names that start processes are refused before linking; the filter makes none
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
