// family:  2 early exit
// tries:   lets the harness complete its record, and then ends by a signal
// holds:   a record followed by a signal or a nonzero exit code does not count
// over:    right
// ends:    any
// flag:    ended-early

#include "right.cuh"
#include "vecadd.h"

static struct Last {
  ~Last() { __builtin_trap(); }
} last;

void vecadd(const float* a, const float* b, float* c, int n) {
  add_on_device(a, b, c, n);
}
