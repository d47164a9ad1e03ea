#include "emulator/cudart/driver_entry.h"

#include <cstdint>
#include <string_view>

#include "emulator/machine/tensor_map.h"

namespace warpsim::cudart {
namespace {

/// cuTensorMapEncodeTiled, whose enumerations are numbers to the linker. @returns a CUresult
unsigned encode_tiled(void* map, unsigned type, unsigned rank, void* address,
                      const std::uint64_t* dimensions, const std::uint64_t* strides,
                      const std::uint32_t* box, const std::uint32_t* steps, unsigned interleave,
                      unsigned swizzle, unsigned promotion, unsigned fill) {
  constexpr unsigned kInvalidValue = 1;
  constexpr std::uintptr_t kAlignment = 64;
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % kAlignment != 0 ||
      address == nullptr || dimensions == nullptr || box == nullptr || steps == nullptr ||
      (strides == nullptr && rank > 1)) {
    return kInvalidValue;
  }
  const auto encoded = encode({.type = type,
                               .rank = rank,
                               .address = reinterpret_cast<std::uint64_t>(address),
                               .dimensions = dimensions,
                               .strides = strides,
                               .box = box,
                               .steps = steps,
                               .interleave = interleave,
                               .swizzle = swizzle,
                               .promotion = promotion,
                               .fill = fill});
  if (!encoded) return kInvalidValue;
  encoded->store(static_cast<std::byte*>(map));
  return 0;
}

}  // namespace

cudaError_t driver_entry(const char* symbol, void** function,
                         cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return cudaErrorInvalidValue;
  *function = nullptr;
  if (std::string_view(symbol) == "cuTensorMapEncodeTiled") {
    *function = reinterpret_cast<void*>(&encode_tiled);
    if (status != nullptr) *status = cudaDriverEntryPointSuccess;
    return cudaSuccess;
  }
  if (status == nullptr) return cudaErrorNotSupported;
  // Programs that query entry points must handle drivers without the function.
  *status = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace warpsim::cudart
