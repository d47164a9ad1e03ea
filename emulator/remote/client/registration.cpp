#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/remote/client/connection.h"

// Functions called by nvcc's generated code before main, and when a library with kernels is loaded.
// Registrations are sent with the first call, so that they cost nothing in a program that never
// uses the device.

namespace warpsim::remote {
namespace {

/// A module; its address is the program's handle.
struct ProgramModule {
  const void* wrapper = nullptr;
  Handle handle = 0;  // the device's; 0: not sent yet
  bool managed = false;  // has managed variables
};

struct Registrations {
  std::mutex mutex;
  std::deque<ProgramModule> modules;  // addresses must not change
  std::vector<std::function<void()>> untold;
  std::atomic<bool> any = false;
};
Registrations& registrations() {
  static auto& instance = *new Registrations;  // host code may unregister after destructors ran
  return instance;
}

void tell_later(std::function<void()> what) {
  Registrations& all = registrations();
  const std::lock_guard lock(all.mutex);
  all.untold.push_back(std::move(what));
  all.any.store(true, std::memory_order_release);
}

}  // namespace

void tell_registrations() {
  Registrations& all = registrations();
  if (!all.any.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(all.mutex);
  for (const auto& tell : std::exchange(all.untold, {})) tell();
  all.any.store(false, std::memory_order_release);
}

}  // namespace warpsim::remote

using namespace warpsim::remote;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Registrations& all = registrations();
  ProgramModule* module = nullptr;
  {
    const std::lock_guard lock(all.mutex);
    module = &all.modules.emplace_back(ProgramModule{.wrapper = wrapper});
  }
  tell_later([module] { (void)WARPSIM_DEVICE_CALL(add_module)(module->wrapper, &module->handle); });
  return reinterpret_cast<void**>(module);
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  auto* module = reinterpret_cast<ProgramModule*>(handle);
  // Not needed at the end of the process.
  if (!is_connected() || module->handle == 0) return;
  tell_registrations();
  forget_parameter_sizes();
  (void)WARPSIM_DEVICE_CALL(remove_module)(module->handle);
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*,
                            const char* device_name, int, void*, void*, void*, void*, int*) {
  tell_later([module = reinterpret_cast<ProgramModule*>(handle), host_function, device_name] {
    (void)WARPSIM_DEVICE_CALL(add_function)(module->handle, host_function, device_name);
  });
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* device_name, int,
                       size_t size, int, int) {
  tell_later([module = reinterpret_cast<ProgramModule*>(handle), shadow, device_name, size] {
    (void)WARPSIM_DEVICE_CALL(add_variable)(module->handle, shadow, device_name, size, nullptr);
  });
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* device_name, int,
                              size_t size, int, int) {
  auto* module = reinterpret_cast<ProgramModule*>(handle);
  module->managed = true;
  tell_later([module, pointer, device_name, size] {
    void* address = pointer;
    (void)WARPSIM_DEVICE_CALL(add_variable)(module->handle, pointer, device_name, size, &address);
  });
}

/// Called before host code touches a managed variable.
char __cudaInitModule(void** handle) {
  const auto* module = reinterpret_cast<const ProgramModule*>(handle);
  if (!module->managed || !is_connected()) return 1;
  const ProgramCall here(__builtin_return_address(0));
  tell_registrations();
  (void)WARPSIM_DEVICE_CALL(place_managed)(module->handle);
  return 1;
}

}  // extern "C"
