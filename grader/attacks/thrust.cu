// family:  12 calling the library
// tries:   lets Thrust do the exercise
// holds:   flagged where the lab does not allow the library
// over:    right
// ends:    any
// flag:    library

#include <thrust/functional.h>
#include "right.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  thrust::plus<float> plus;
  (void)plus;
  add_on_device(a, b, c, n);
}
