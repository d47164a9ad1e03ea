// family:  13 corrupting the check
// tries:   sets the inputs to zero so that a zero output would be correct
// holds:   expected values are computed from the grader's own copy of the inputs; modified inputs
//          are detected
// over:    nothing
// ends:    any
// flag:    none

#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    const_cast<float*>(a)[i] = 0;
    const_cast<float*>(b)[i] = 0;
    c[i] = 0;
  }
}
