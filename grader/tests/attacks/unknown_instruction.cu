// family:  22 blaming the grader
// tries:   executes an instruction that the emulator lacks in the cases that it gets wrong
// holds:   those cases are not assessed, the others are graded, and the grade is flagged
// over:    right
// ends:    any
// flag:    not-assessed

#include "right.cuh"
#include "vecadd.h"

static __global__ void lacking() {
  asm volatile("tcgen05.wait::st.sync.aligned;");
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n > 1000) {
    lacking<<<1, 128>>>();
    return;
  }
  add_on_device(a, b, c, n);
}
