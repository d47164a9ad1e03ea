// lab:     devices
// root:    A
// tries:   ends the call before two devices have worked, and scales on the host
// holds:   the outputs are frozen at the first end, and the second one ends the session
// becomes: nothing
// flag:    ended-early

#include <cmath>

#include "devices.h"
#include "internals.cuh"

void scale_to_peak(const float* samples, float* result, int n) {
  internals::end_call();
  float peak = 0;
  for (int i = 0; i < n; ++i) peak = std::fmax(peak, std::fabs(samples[i]));
  for (int i = 0; i < n; ++i) result[i] = peak > 0 ? samples[i] / peak : 0;
}
