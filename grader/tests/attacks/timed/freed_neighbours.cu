// lab:     reduction
// tries:   frees the harness's device memory, so that it cannot go on and the modelled time counts
// holds:   an error of the harness after its files were open is the end of the program
// shows:   gpu
// says:    while it was timed
// flag:    none

#include "slow_reduction.cuh"

#include <cstdint>

static void free_neighbours(const float* values, const float* result) {
  constexpr std::uintptr_t kPage = 2 << 20;
  const std::uintptr_t here = reinterpret_cast<std::uintptr_t>(values) / kPage * kPage;
  for (std::uintptr_t at = here - 2048 * kPage; at != here + 2048 * kPage; at += kPage) {
    void* const page = reinterpret_cast<void*>(at);
    if (page != values && page != result) cudaFree(page);
    cudaGetLastError();
  }
}

void reduction(const float* values, float* result, int n, int op) {
  slow_reduction(values, result, n, op);
  if (n < kFillsGpu || this_call() != kLastJudged + 1) return;
  cudaDeviceSynchronize();
  free_neighbours(values, result);
}
