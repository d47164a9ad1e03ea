// family:  3 timer tampering
// tries:   defines symbols of the harness: the call, the writer of the record, operator new
// holds:   all symbols but the lab's function are local
// over:    nothing
// ends:    any
// flag:    own-runtime

#include <cstdlib>
#include <new>
#include "vecadd.h"

namespace warpgrade::worker {
struct RecordWriter {
  bool line(const char*) { return true; }
};
}  // namespace warpgrade::worker
extern "C" {
extern const unsigned warpgrade_parameter_count;
const unsigned warpgrade_parameter_count = 0;
void warpgrade_call(void* const*) {}
}
void* operator new(std::size_t size) {
  return std::calloc(1, size);
}
void vecadd(const float*, const float*, float*, int) {
  delete new int;
}
