#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "emulator/cudart/api.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// @param api  names the allocation in messages
cudaError_t allocate_pinned(Call& call, void** pointer, std::uint64_t size, std::string_view api);
/// What the memory of a pool has of it.
struct PoolMemory {
  int device = 0;
  std::shared_ptr<const std::uint32_t> access;  // GlobalMemory::Allocation::pool_access
};
/// The pool that cudaMallocAsync uses on a device.
[[nodiscard]] PoolMemory current_pool(int device);
/// Counts an allocation of a pool, which was made or is freed.
void note_pool_use(const GlobalMemory::Allocation& allocation, bool allocated);
/// Stream-ordered device memory.
cudaError_t allocate_ordered(Call& call, void** pointer, std::uint64_t size, cudaStream_t stream,
                             const PoolMemory& pool);
/// Frees pinned memory; reports other addresses.
cudaError_t release_pinned(Call& call, void* pointer);

}  // namespace warpsim::cudart
