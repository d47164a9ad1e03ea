// family:  5 work on after the return
// tries:   a host thread continues to write after the function has returned
// holds:   outputs in host memory are no longer writable once the function has returned; threads
//          are flagged
// over:    nothing
// ends:    any
// flag:    host-threads

#include <chrono>
#include <thread>
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }).detach();
}
