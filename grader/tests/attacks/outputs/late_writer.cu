// lab:     vecadd
// root:    A
// tries:   a thread opens the output for writing again after the return, and writes the sums there
//          and to every descriptor
// holds:   the outputs are those of the moment when the call ended
// becomes: nothing
// flag:    host-threads

#include "internals.cuh"
#include "vecadd.h"

#include <chrono>
#include <thread>

void vecadd(const float* a, const float* b, float* c, int n) {
  static float sums[1 << 20];
  if (n <= 1 << 20) internals::answer(a, b, sums, n);
  std::thread([=] {
    for (int i = 0; i < 400; ++i) {
      const auto first = reinterpret_cast<std::uintptr_t>(c) & ~std::uintptr_t{4095};
      const auto last = reinterpret_cast<std::uintptr_t>(c + n) + 4095 & ~std::uintptr_t{4095};
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      internals::system_call(internals::kProtect, first, last - first, 3);
      if (i > 4) std::memcpy(c, sums, n * sizeof(float));
      for (int descriptor = 3; descriptor < 12 && i == 20; ++descriptor) {
        internals::system_call(internals::kWrite, descriptor, sums, n * sizeof(float));
      }
    }
  }).detach();
}
