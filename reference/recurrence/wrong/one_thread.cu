// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// Right, but one thread does all steps.
#include "recurrence.h"

#include <cuda_runtime.h>

__global__ void steps(const unsigned* a, unsigned* x, int n, unsigned state) {
  for (int i = 0; i < n; ++i) {
    state = a[i] * state + x[i];
    x[i] = state;
  }
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n > 0) steps<<<1, 1>>>(a, x, n, start);
}
