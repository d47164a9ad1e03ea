// lab:     reduction
// tries:   takes all device memory, so that the reference gets none and the modelled time counts
// holds:   the reference runs again, also alone: if it then works, the submission has no points
// shows:   gpu
// says:    The reference fails while
// flag:    reference-disturbed

#include "slow_reduction.cuh"

#include <chrono>
#include <thread>

void reduction(const float* values, float* result, int n, int op) {
  slow_reduction(values, result, n, op);
  if (n < kFillsGpu) return;
  const int call = this_call();
  // Warm-up ends after three calls that take this long. The reference has the next call but one.
  if (call <= 3) {
    cudaDeviceSynchronize();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (call != 4) return;
  for (size_t size = size_t{1} << 34; size >= size_t{1} << 20; size /= 2) {
    void* taken = nullptr;
    while (cudaMalloc(&taken, size) == cudaSuccess) {
    }
    cudaGetLastError();
  }
}
