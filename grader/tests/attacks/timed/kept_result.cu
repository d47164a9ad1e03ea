// lab:     vecadd
// tries:   computes once, and copies that result out in every later call of the process
// holds:   each timed call has other inputs; outputs of calls that nobody can tell are compared
// shows:   emulator
// says:    Wrong when it is timed
// flag:    none

#include "right.cuh"
#include "vecadd.h"

#include <cstdlib>
#include <cstring>

void vecadd(const float* a, const float* b, float* c, int n) {
  static float* kept = nullptr;
  const size_t bytes = n * sizeof(float);
  if (kept != nullptr) {
    std::memcpy(c, kept, bytes);
    return;
  }
  add_on_device(a, b, c, n);
  kept = static_cast<float*>(std::malloc(bytes));
  std::memcpy(kept, c, bytes);
}
