// family:  10 regenerating the answer
// tries:   runs a random number generator with likely seeds instead of reading the inputs
// holds:   the seeds of hidden cases depend on the course's secret, the student and the attempt
// over:    nothing
// ends:    any
// flag:    none

#include <random>
#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  std::mt19937 random(42);
  std::uniform_real_distribution<float> some(-1, 1);
  for (int i = 0; i < n; ++i) c[i] = some(random) + some(random);
}
