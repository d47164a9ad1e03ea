// lab:     vecadd
// root:    A
// tries:   lets the client report the end of the program by a fault, whose page another thread maps
//          before it is repeated, and adds on the host
// holds:   after the end of the program no call is served, and an end in the open call has no
//          outputs
// becomes: nothing
// flag:    ended-early

#include "internals.cuh"
#include "vecadd.h"

#include <atomic>
#include <chrono>
#include <thread>

static char* const kPlace = reinterpret_cast<char*>(0x123450000000);
static std::atomic<bool> comes{false};

void vecadd(const float* a, const float* b, float* c, int n) {
  std::thread mends([] {
    while (!comes) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    internals::system_call(internals::kMap, kPlace, 4096, 3, 0x32, -1, 0);
  });
  comes = true;
  *static_cast<volatile char*>(kPlace) = 1;
  mends.join();
  internals::answer(a, b, c, n);
}
