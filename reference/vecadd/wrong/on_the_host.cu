// verdict: fails-concept
// pitfall: none
// caught-by: concept loads-once
// Right, and computed without the device.
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
