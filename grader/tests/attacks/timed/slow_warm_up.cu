// lab:     reduction
// tries:   sleeps in warm-up calls, and then does an eighth of the work in two of three calls
// holds:   the number of calls is fixed, and outputs of some that nobody can tell are compared
// shows:   gpu
// says:    Wrong during timing
// flag:    wrong-when-repeated

#include "slow_reduction.cuh"

#include <chrono>
#include <thread>

void reduction(const float* values, float* result, int n, int op) {
  const int call = this_call();
  if (call <= kLastJudged + 1) {
    slow_reduction(values, result, n, op);
    cudaDeviceSynchronize();
    if (n >= kFillsGpu) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return;
  }
  // The first timed call, whose outputs are always compared, has all of it.
  slow_reduction(values, result, call % 3 == 1 ? n : n / 8, op);
}
