#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/modules.h"
#include "emulator/cudart/transfer.h"

// Device variables, which host code identifies by the address of their shadow variable.

namespace warpsim::cudart {
namespace {

/// The variable's memory on the current device, or an error.
/// @throws LoadError
const GlobalMemory::Allocation* find_symbol(Call& call, const void* shadow, cudaError_t& error) {
  const Variable* variable = ModuleTable::get().find_variable(shadow);
  error = cudaErrorInvalidSymbol;
  if (variable == nullptr) variable = ModuleTable::get().find_managed(call.runtime, shadow);
  if (variable == nullptr) return nullptr;
  const Symbol* symbol = ModuleTable::get().resolve(call.runtime, *variable, current_device());
  if (symbol == nullptr) {
    const std::string why = ModuleTable::problem_of(*variable->module, variable->name);
    call.runtime.report(unloadable_module(call.site(), why));
    error = cudaErrorNoKernelImageForDevice;
    return nullptr;
  }
  error = cudaSuccess;
  return symbol->allocation;
}

cudaError_t copy_to_symbol(Call& call, const void* symbol, const void* source, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  Side to;
  const SymbolRange range = {symbol, offset, bytes};
  if (const cudaError_t error = symbol_side(call, CopyRole::destination, range, kind, to)) {
    return error;
  }
  return copy(call, to, Side::linear(source), {.width = bytes}, kind, stream);
}

cudaError_t copy_from_symbol(Call& call, void* destination, const void* symbol, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  Side from;
  const SymbolRange range = {symbol, offset, bytes};
  if (const cudaError_t error = symbol_side(call, CopyRole::source, range, kind, from)) {
    return error;
  }
  return copy(call, Side::linear(destination), from, {.width = bytes}, kind, stream);
}

}  // namespace

cudaError_t symbol_side(Call& call, CopyRole role, const SymbolRange& range, cudaMemcpyKind kind,
                        Side& side) {
  const cudaMemcpyKind across =
      role == CopyRole::destination ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  cudaError_t error = cudaSuccess;
  const GlobalMemory::Allocation* variable = find_symbol(call, range.symbol, error);
  if (variable == nullptr) return error;
  if (range.offset > variable->size || range.bytes > variable->size - range.offset) {
    call.runtime.report(out_of_bounds_symbol_copy(call.site(), variable->name, variable->size,
                                                  range.offset, range.bytes));
    return cudaErrorInvalidValue;
  }
  side = {.address = variable->base + range.offset};
  return cudaSuccess;
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_to_symbol(call, symbol, source, bytes, offset, kind, nullptr);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_to_symbol(call, symbol, source, bytes, offset, kind, stream);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_from_symbol(call, destination, symbol, bytes, offset, kind, nullptr);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_from_symbol(call, destination, symbol, bytes, offset, kind, stream);
  });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return api(__func__, [&](Call& call) {
    if (address == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const auto* variable = find_symbol(call, symbol, error);
    if (variable != nullptr) *address = reinterpret_cast<void*>(variable->base);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return api(__func__, [&](Call& call) {
    if (size == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const auto* variable = find_symbol(call, symbol, error);
    if (variable != nullptr) *size = variable->size;
    return error;
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaMemcpyToSymbol, _ptds)
WARPSIM_TWIN(cudaMemcpyToSymbolAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpyFromSymbol, _ptds)
WARPSIM_TWIN(cudaMemcpyFromSymbolAsync, _ptsz)
