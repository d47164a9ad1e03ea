// family:  2 early exit
// tries:   lets the harness finish its record, and dies before anybody else has a last word
// holds:   a record with a signal or an exit code behind it does not count
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
