#include "harness/worker/driver_kernel.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace warpgrade::worker {

namespace {

template <class Function>
Function find(void* driver, const char* name) {
  void* function = dlsym(driver, name);
  if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(function);
}

using LoadModule = int (*)(void** module, const void* image);
using GetFunction = int (*)(cudaFunction_t* function, void* module, const char* name);

/// @param status  a CUresult of the driver; 0 is CUDA_SUCCESS
void check(int status, const std::string& what) {
  if (status == 0) return;
  throw std::runtime_error(what + ": driver error " + std::to_string(status));
}

}  // namespace

DriverKernel::DriverKernel(const char* ptx, const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr)
    throw std::runtime_error("the driver's library was not found: libcuda.so.1");
  launch_ = find<Launch>(driver, "cuLaunchKernel");
  void* module = nullptr;
  const std::string what = std::string("loading ") + name;
  check(find<LoadModule>(driver, "cuModuleLoadData")(&module, ptx), what);
  check(find<GetFunction>(driver, "cuModuleGetFunction")(&kernel_, module, name), what);
}

void DriverKernel::launch(unsigned blocks, unsigned threads, void** arguments,
                          const char* what) const {
  check(launch_(kernel_, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr), what);
}

}  // namespace warpgrade::worker
