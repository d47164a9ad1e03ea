#include <fstream>
#include <span>
#include <sstream>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/driver_entry.h"
#include "emulator/cudart/launch.h"
#include "emulator/cudart/modules.h"
#include "emulator/fatbin/fatbin.h"

// Device code loaded at run time (cudaLibrary...), and entry points of the driver, which do not
// exist here.

namespace warpsim::cudart {
namespace {

std::uint32_t target_of(const Runtime& runtime) {
  return static_cast<std::uint32_t>(10 * runtime.card.major + runtime.card.minor);
}

/// @throws LoadError
cudaError_t load(Call& call, cudaLibrary_t* library, fatbin::Images images) {
  Runtime& runtime = call.runtime;
  if (images.images.empty()) {
    runtime.report(unloadable_module(
        call.site(), images.problems.empty() ? "it contains no PTX" : images.problems.front()));
    return cudaErrorNoKernelImageForDevice;
  }
  Module* module = ModuleTable::get().add_loaded_module();
  for (fatbin::Image& image : images.images) {
    runtime.machine.load({.ptx = std::move(image.ptx),
                          .origin = image.name.empty() ? "a library" : image.name,
                          .unit = module->unit,
                          .max_registers = image.max_registers});
  }
  *library = reinterpret_cast<cudaLibrary_t>(module);
  return cudaSuccess;
}

Module* module_of(cudaLibrary_t library) {
  auto* module = reinterpret_cast<Module*>(library);
  return ModuleTable::get().is_loaded_library(module) ? module : nullptr;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;
using warpsim::cudart::Module;

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return api(__func__, [&](Call& call) {
    if (library == nullptr || code == nullptr) return cudaErrorInvalidValue;
    return load(call, library, HostProgram::get().library_code(code, target_of(call.runtime)));
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption*,
                                    void**, unsigned, cudaLibraryOption*, void**, unsigned) {
  return api(__func__, [&](Call& call) {
    if (library == nullptr || path == nullptr) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cudaErrorFileNotFound;
    std::ostringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    return load(
        call, library,
        warpsim::fatbin::read_fatbin(std::as_bytes(std::span(text)), target_of(call.runtime)));
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return api(__func__, [&](Call&) {
    const Module* module = module_of(library);
    if (module == nullptr) return cudaErrorInvalidResourceHandle;
    ModuleTable::get().remove_module(module);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return api(__func__, [&](Call& call) {
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    Module* module = module_of(library);
    if (module == nullptr) return cudaErrorInvalidResourceHandle;
    if (call.runtime.machine.find_kernel(name, module->unit) == nullptr) {
      return cudaErrorSymbolNotFound;
    }
    *kernel = reinterpret_cast<cudaKernel_t>(ModuleTable::get().function_of(module, name));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return api(__func__, [&](Call& call) {
    if (name == nullptr || (pointer == nullptr && bytes == nullptr)) return cudaErrorInvalidValue;
    const Module* module = module_of(library);
    if (module == nullptr) return cudaErrorInvalidResourceHandle;
    const auto* symbol = call.runtime.machine.find_symbol(name, module->unit, current_device());
    if (symbol == nullptr) return cudaErrorSymbolNotFound;
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(symbol->allocation->base);
    if (bytes != nullptr) *bytes = symbol->allocation->size;
    return cudaSuccess;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return api(__func__, [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    const int current = current_device();
    set_current_device(device);
    const cudaError_t error =
        cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
    set_current_device(current);
    return error;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return query(__func__, [&](Call&) { return driver_entry(symbol, function, status); });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return query(__func__, [&](Call&) { return driver_entry(symbol, function, status); });
}

}  // extern "C"

WARPSIM_TWIN(cudaGetDriverEntryPoint, _ptsz)
WARPSIM_TWIN(cudaGetDriverEntryPointByVersion, _ptsz)
