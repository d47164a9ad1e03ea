#include "harness/worker/device_gate.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpgrade::worker {

namespace {

/// Longer than a few dozen calls of the runtime take.
constexpr std::uint64_t kClosedNs = 200'000;

/// One thread of each block polls the clock, the others wait at the barrier and keep their slots.
constexpr const char* kGate = R"(
.version 6.3
.target sm_75
.address_size 64

.visible .entry warpgrade_gate(.param .u64 nanoseconds)
{
  .reg .pred %others, %early;
  .reg .u32 %thread;
  .reg .u64 %length, %start, %now;

  mov.u32 %thread, %tid.x;
  setp.ne.u32 %others, %thread, 0;
  @%others bra OPEN;
  ld.param.u64 %length, [nanoseconds];
  mov.u64 %start, %globaltimer;
LOOK:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %early, %now, %length;
  @%early bra LOOK;
OPEN:
  bar.sync 0;
  ret;
}
)";

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&value, which, device) != cudaSuccess || value <= 0) {
    throw std::runtime_error("the device does not say how many threads it holds");
  }
  return value;
}

}  // namespace

DeviceGate::DeviceGate() : kernel_(kGate, "warpgrade_gate") {
  // Two blocks per multiprocessor have all of its 2048, 1536 or 1024 threads.
  blocks_ = 2 * static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  threads_ = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor)) / 2;
}

void DeviceGate::close() const {
  std::uint64_t length = kClosedNs;
  void* arguments[] = {&length};
  kernel_.launch(blocks_, threads_, arguments, "closing the gate");
}

}  // namespace warpgrade::worker
