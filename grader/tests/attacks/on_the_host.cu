// family:  20 doing it on the CPU
// tries:   computes the sums on the host, without a kernel
// holds:   values that the device did not send to the host are the host's: the case earns
//          nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
