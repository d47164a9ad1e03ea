#include "harness/worker/device_reset.h"

#include <cuda_runtime_api.h>

#include "harness/worker/device_buffer.h"
#include "harness/worker/device_pool.h"

namespace {
bool g_was_reset = false;
}

// The linker's option --wrap defines these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
cudaError_t __real_cudaDeviceReset();

cudaError_t __wrap_cudaDeviceReset() {
  using namespace warpgrade::worker;
  if (device_pool().serves()) return cudaDeviceSynchronize();
  g_was_reset = true;
  DeviceBuffer::release_all();
  return __real_cudaDeviceReset();
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpgrade::worker {

bool device_was_reset() {
  return g_was_reset;
}

}  // namespace warpgrade::worker
