#include "emulator/cudart/unsupported.h"

#include "emulator/cudart/api.h"
#include "emulator/cudart/finish.h"

namespace warpsim::cudart {

int unsupported(const char* name, const void* return_address) {
  Call call(name, return_address);
  report_unsupported(call.runtime, call.site());
  // Not kept as an error that nobody looked at: the finding says all there is to say.
  call.runtime.errors.record(cudaErrorNotSupported);
  return cudaErrorNotSupported;
}

}  // namespace warpsim::cudart
