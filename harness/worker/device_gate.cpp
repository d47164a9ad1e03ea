#include "harness/worker/device_gate.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpgrade::worker {

namespace {

/// Longer than a few dozen calls of the runtime take.
constexpr std::uint64_t kClosedNs = 200'000;

/// As PTX text and not in CUDA, so that the program has only the student's kernels, for tools that
/// list or count them. One thread of each block polls the clock, the others wait at the barrier and
/// keep their slots.
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

template <class Function>
Function find(void* driver, const char* name) {
  void* function = dlsym(driver, name);
  if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(function);
}

using LoadModule = int (*)(void** module, const void* image);
using GetFunction = int (*)(cudaFunction_t* function, void* module, const char* name);

/// @param status  a CUresult of the driver; 0 is CUDA_SUCCESS
void check(int status, const char* what) {
  if (status == 0) return;
  throw std::runtime_error(std::string(what) + ": driver error " + std::to_string(status));
}

}  // namespace

DeviceGate::DeviceGate() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr)
    throw std::runtime_error("the driver's library was not found: libcuda.so.1");
  launch_ = find<Launch>(driver, "cuLaunchKernel");
  void* module = nullptr;  // never unloaded
  check(find<LoadModule>(driver, "cuModuleLoadData")(&module, kGate), "loading the gate");
  check(find<GetFunction>(driver, "cuModuleGetFunction")(&kernel_, module, "warpgrade_gate"),
        "loading the gate");
  // Two blocks per multiprocessor have all of its 2048, 1536 or 1024 threads.
  blocks_ = 2 * static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  threads_ = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor)) / 2;
}

void DeviceGate::close() const {
  std::uint64_t length = kClosedNs;
  void* arguments[] = {&length};
  check(launch_(kernel_, blocks_, 1, 1, threads_, 1, 1, 0, nullptr, arguments, nullptr),
        "closing the gate");
}

}  // namespace warpgrade::worker
