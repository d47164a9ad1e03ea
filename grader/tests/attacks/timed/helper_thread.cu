// lab:     vecadd
// tries:   from the second call on, leaves the work to a host thread and returns at once
// holds:   outputs can only be read from the moment when the last clock was; threads are flagged
// shows:   emulator
// says:    timed
// flag:    host-threads

#include "right.cuh"
#include "vecadd.h"

#include <thread>

void vecadd(const float* a, const float* b, float* c, int n) {
  static bool again = false;
  if (!again) {
    again = true;
    add_on_device(a, b, c, n);
    return;
  }
  std::thread([=] {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }).detach();
}
