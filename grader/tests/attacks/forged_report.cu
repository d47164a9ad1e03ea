// family:  1 forged verdict
// tries:   writes an emulator report without findings and with low counters
// holds:   functions for files and the environment are rejected before linking
// over:    nothing
// ends:    refused
// flag:    forbidden-call

#include <cstdlib>
#include <fstream>
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  std::ofstream(std::getenv("WARPSIM_JSON")) << "{\"device\":{\"name\":\"H200\"},\"kernels\":[]}";
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
