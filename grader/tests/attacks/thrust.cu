// family:  12 calling the library
// tries:   calls Thrust instead of solving the exercise
// holds:   flagged if the lab does not allow the library
// over:    right
// ends:    any
// flag:    library
// needs:   nvcc

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform.h>
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  thrust::device_vector<float> x(a, a + n), y(b, b + n), z(n);
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), thrust::plus<float>());
  thrust::copy(z.begin(), z.end(), c);
}
