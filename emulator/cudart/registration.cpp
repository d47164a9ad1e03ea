#include <cuda_runtime_api.h>

#include "emulator/cudart/api.h"
#include "emulator/cudart/modules.h"

// Functions called by nvcc's generated code before main, and when a library with kernels is loaded.
// The signatures are those of crt/host_runtime.h, which cannot be included.

using namespace warpsim::cudart;
using warpsim::cudart::Module;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(ModuleTable::get().add_module(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  ModuleTable::get().remove_module(reinterpret_cast<Module*>(handle));
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*,
                            const char* device_name, int, void*, void*, void*, void*, int*) {
  ModuleTable::get().add_function(reinterpret_cast<Module*>(handle), host_function, device_name);
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* device_name, int,
                       size_t size, int, int) {
  ModuleTable::get().add_variable(
      reinterpret_cast<Module*>(handle), shadow,
      {.name = device_name, .module = nullptr, .size = size, .managed_pointer = nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* device_name, int,
                              size_t size, int, int) {
  ModuleTable::get().add_variable(
      reinterpret_cast<Module*>(handle), pointer,
      {.name = device_name, .module = nullptr, .size = size, .managed_pointer = pointer});
}

/// Called before host code touches a managed variable.
char __cudaInitModule(void** handle) {
  const auto* module = reinterpret_cast<const Module*>(handle);
  if (ModuleTable::get().managed_variables(module).empty()) return 1;
  (void)query("managed variable", [&](Call& call) {
    ModuleTable::get().place_managed(call.runtime, module);
    return cudaSuccess;
  });
  return 1;
}

}  // extern "C"
