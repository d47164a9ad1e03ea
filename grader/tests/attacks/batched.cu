// family:  8 batching
// tries:   collects calls to process them in one launch later
// holds:   each process makes one call; work that is queued afterwards is never done
// over:    nothing
// ends:    any
// flag:    none

#include <utility>
#include <vector>
#include "vecadd.h"

static std::vector<std::pair<float*, int>> queued;
void vecadd(const float*, const float*, float* c, int n) {
  queued.emplace_back(c, n);
  if (queued.size() < 15) return;
  for (auto& [out, size] : queued) out[0] = static_cast<float>(size);
}
