#include "emulator/driver/unsupported.h"

#include <cuda.h>
#include <functional>

#include "emulator/driver/library_entry.h"

// The bounds of the section with the functions, which the linker defines.
extern "C" const char __start_warpsim_driver_stubs[] __attribute__((visibility("hidden")));
extern "C" const char __stop_warpsim_driver_stubs[] __attribute__((visibility("hidden")));

namespace warpsim::driver {
int unsupported(const char* name, const void* return_address) {
  const cudart::LibraryEntryPoints* const runtime = library_entry();
  if (runtime != nullptr) runtime->unsupported(name, return_address, "CUDA_ERROR_NOT_SUPPORTED");
  return CUDA_ERROR_NOT_SUPPORTED;
}

bool is_unsupported(const void* function) {
  const std::less<const void*> before;
  return !before(function, __start_warpsim_driver_stubs) &&
         before(function, __stop_warpsim_driver_stubs);
}

}  // namespace warpsim::driver
