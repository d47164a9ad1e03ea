// family:  13 corrupting the check
// tries:   fills the output with NaN, for which every comparison is false
// holds:   the test is not (error <= bound), so NaN fails
// over:    nothing
// ends:    any
// flag:    none

#include <cmath>
#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = NAN;
}
