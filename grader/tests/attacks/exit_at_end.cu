// family:  2 early exit
// tries:   leaks, and ends the program from atexit before the emulator reports the leak
// holds:   a run without the emulator's report earns nothing
// over:    right
// ends:    any
// flag:    ended-early

#include <unistd.h>
#include <cstdlib>
#include "right.cuh"
#include "vecadd.h"

static void leave() {
  _exit(0);
}

void vecadd(const float* a, const float* b, float* c, int n) {
  std::atexit(leave);
  void* leaked;
  cudaMalloc(&leaked, 1 << 20);
  add_on_device(a, b, c, n);
}
