#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>

#include "emulator/tests/golden_runner/backend.h"

// The CUDA driver's library is loaded at run time, so that the tests build where there is none.
// The few declarations that are needed are those of the driver API's stable C interface.

namespace warpsim::golden {
namespace {

using Result = int;  // CUresult; 0 is success
using Handle = void*;  // CUcontext, CUmodule, CUfunction
using DeviceAddress = unsigned long long;  // CUdeviceptr

constexpr int kComputeCapabilityMajor = 75;  // CUdevice_attribute
constexpr int kComputeCapabilityMinor = 76;
constexpr int kJitErrorLogBuffer = 5;  // CUjit_option
constexpr int kJitErrorLogBufferBytes = 6;

/// The driver's functions.
struct Driver {
  Result (*init)(unsigned flags);
  Result (*device_get)(int* device, int ordinal);
  Result (*device_get_attribute)(int* value, int attribute, int device);
  Result (*primary_context_retain)(Handle* context, int device);
  Result (*context_set_current)(Handle context);
  Result (*context_synchronize)();
  Result (*module_load)(Handle* module, const void* image, unsigned options, int* names,
                        void** values);
  Result (*module_unload)(Handle module);
  Result (*module_get_function)(Handle* function, Handle module, const char* name);
  Result (*memory_allocate)(DeviceAddress* address, std::size_t bytes);
  Result (*memory_free)(DeviceAddress address);
  Result (*copy_to_device)(DeviceAddress to, const void* from, std::size_t bytes);
  Result (*copy_to_host)(void* to, DeviceAddress from, std::size_t bytes);
  Result (*launch)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   Handle stream, void** arguments, void** extra);
  Result (*launch_cooperative)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z,
                               unsigned shared_bytes, Handle stream, void** arguments);
  Result (*get_error_string)(Result error, const char** text);
};

template <class F>
bool find_function(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

/// @returns false when the library lacks a function
bool find_functions(void* library, Driver& driver) {
  return find_function(library, "cuInit", driver.init) &&
         find_function(library, "cuDeviceGet", driver.device_get) &&
         find_function(library, "cuDeviceGetAttribute", driver.device_get_attribute) &&
         find_function(library, "cuDevicePrimaryCtxRetain", driver.primary_context_retain) &&
         find_function(library, "cuCtxSetCurrent", driver.context_set_current) &&
         find_function(library, "cuCtxSynchronize", driver.context_synchronize) &&
         find_function(library, "cuModuleLoadDataEx", driver.module_load) &&
         find_function(library, "cuModuleUnload", driver.module_unload) &&
         find_function(library, "cuModuleGetFunction", driver.module_get_function) &&
         find_function(library, "cuMemAlloc_v2", driver.memory_allocate) &&
         find_function(library, "cuMemFree_v2", driver.memory_free) &&
         find_function(library, "cuMemcpyHtoD_v2", driver.copy_to_device) &&
         find_function(library, "cuMemcpyDtoH_v2", driver.copy_to_host) &&
         find_function(library, "cuLaunchKernel", driver.launch) &&
         find_function(library, "cuLaunchCooperativeKernel", driver.launch_cooperative) &&
         find_function(library, "cuGetErrorString", driver.get_error_string);
}

class CudaBackend : public Backend {
 public:
  CudaBackend(const Driver& driver, int capability) : driver_(driver), capability_(capability) {}
  ~CudaBackend() override { unload(); }

  [[nodiscard]] bool supports(const Target& target) const override {
    int needed = 0;
    const std::string& name = target.architecture;
    const std::size_t digits = name.find('_') + 1;
    std::from_chars(name.data() + digits, name.data() + name.size(), needed);
    // Architecture-specific code (sm_90a) runs on that architecture alone.
    return name.back() == 'a' ? capability_ == needed : capability_ >= needed;
  }

  void load(const std::string& ptx, const std::string& origin) override {
    unload();
    std::string log(8192, '\0');
    int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    const Result result = driver_.module_load(&module_, ptx.c_str(), 2, options, values);
    if (result == 0) return;
    module_ = nullptr;
    throw BackendError(fmt::format("{}: {}\n{}", origin, message(result), log.c_str()));
  }

  std::uint64_t upload(std::span<const std::byte> bytes) override {
    DeviceAddress address = 0;
    require(driver_.memory_allocate(&address, bytes.size()), "cuMemAlloc");
    buffers_.push_back(address);
    require(driver_.copy_to_device(address, bytes.data(), bytes.size()), "cuMemcpyHtoD");
    return address;
  }

  void download(std::uint64_t address, std::span<std::byte> bytes) override {
    require(driver_.copy_to_host(bytes.data(), address, bytes.size()), "cuMemcpyDtoH");
  }

  void launch(const std::string& entry, const LaunchShape& shape,
              std::span<const std::vector<std::byte>> arguments) override {
    Handle function = nullptr;
    require(driver_.module_get_function(&function, module_, entry.c_str()), "cuModuleGetFunction");
    std::vector<std::vector<std::byte>> copies(arguments.begin(), arguments.end());
    std::vector<void*> pointers;
    for (auto& copy : copies) pointers.push_back(copy.data());
    const auto& [grid, block, shared_bytes, cooperative] = shape;
    const Result result =
        cooperative
            ? driver_.launch_cooperative(function, grid[0], grid[1], grid[2], block[0], block[1],
                                         block[2], shared_bytes, nullptr, pointers.data())
            : driver_.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                             shared_bytes, nullptr, pointers.data(), nullptr);
    require(result, "cuLaunchKernel");
    require(driver_.context_synchronize(), "the kernel");
  }

 private:
  void unload() {
    for (const DeviceAddress address : buffers_) driver_.memory_free(address);
    buffers_.clear();
    if (module_ != nullptr) driver_.module_unload(module_);
    module_ = nullptr;
  }

  [[nodiscard]] std::string message(Result result) const {
    const char* text = nullptr;
    driver_.get_error_string(result, &text);
    return fmt::format("CUDA error {} ({})", result, text == nullptr ? "unknown" : text);
  }

  void require(Result result, const char* what) const {
    if (result != 0) throw BackendError(fmt::format("{}: {}", what, message(result)));
  }

  Driver driver_;
  int capability_;  // 90 for compute capability 9.0
  Handle module_ = nullptr;
  std::vector<DeviceAddress> buffers_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(std::string& why_not) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why_not = "the CUDA driver's library libcuda.so.1 is not installed";
    return nullptr;
  }
  Driver driver{};
  if (!find_functions(library, driver)) {
    why_not = "libcuda.so.1 lacks functions of the driver API";
    return nullptr;
  }
  int device = 0;
  Handle context = nullptr;
  if (driver.init(0) != 0 || driver.device_get(&device, 0) != 0 ||
      driver.primary_context_retain(&context, device) != 0 ||
      driver.context_set_current(context) != 0) {
    why_not = "the CUDA driver found no usable GPU";
    return nullptr;
  }
  int major = 0;
  int minor = 0;
  driver.device_get_attribute(&major, kComputeCapabilityMajor, device);
  driver.device_get_attribute(&minor, kComputeCapabilityMinor, device);
  return std::make_unique<CudaBackend>(driver, 10 * major + minor);
}

}  // namespace warpsim::golden
