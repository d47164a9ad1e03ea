#include "emulator/cudart/unsupported.h"

#include "emulator/cudart/api.h"
#include "emulator/cudart/finish.h"

namespace warpsim::cudart {

int unsupported(const char* name, const void* return_address) {
  Call call(name, return_address);
  report_unsupported(call.runtime, call.site());
  // Not recorded as an unchecked error, because the finding is enough.
  call.runtime.errors.record(cudaErrorNotSupported);
  return cudaErrorNotSupported;
}

}  // namespace warpsim::cudart
