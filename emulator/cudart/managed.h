#pragma once

#include "emulator/cudart/api.h"
#include "emulator/cudart/layouts.h"

// Implementations of functions whose exported form differs between CUDA 12 and 13.

namespace warpsim::cudart {

constexpr int kLocationDevice = 1;
constexpr int kCpuDevice = -1;  // cudaCpuDeviceId, how CUDA 12 names the host

/// CUDA 12's way to name a location.
[[nodiscard]] constexpr MemoryLocation location_of_device(int device) {
  return device == kCpuDevice ? MemoryLocation{2, 0} : MemoryLocation{kLocationDevice, device};
}

/// cudaMemPrefetchAsync: a hint, checked, that only the timeline shows.
cudaError_t prefetch(Call& call, const void* pointer, size_t bytes, MemoryLocation where,
                     cudaStream_t stream);
/// cudaMemAdvise: a hint, checked and otherwise without effect.
cudaError_t advise(Call& call, const void* pointer, size_t bytes, MemoryLocation where);

/// cudaPointerGetAttributes, for the fields that both versions have.
cudaError_t fill_pointer_attributes(Call& call, PointerAttributes12* attributes,
                                    const void* pointer);

}  // namespace warpsim::cudart
