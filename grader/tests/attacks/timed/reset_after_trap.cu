// lab:     reduction
// tries:   stops with an eighth of the work done, and hides the error by cudaDeviceReset
// holds:   in a timed call cudaDeviceReset only waits for the device, and the error stays
// shows:   gpu
// says:    A CUDA error was pending after a timed call
// flag:    none

#include "slow_reduction.cuh"

static __global__ void give_up() {
  __trap();
}

void reduction(const float* values, float* result, int n, int op) {
  if (this_call() <= kLastJudged) {
    slow_reduction(values, result, n, op);
    return;
  }
  slow_reduction(values, result, n / 8, op);
  give_up<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
  cudaGetLastError();
}
