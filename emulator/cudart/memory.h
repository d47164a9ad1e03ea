#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/cudart/api.h"

namespace warpsim::cudart {

/// @param api  names the allocation in messages
cudaError_t allocate_pinned(Call& call, void** pointer, std::uint64_t size, std::string_view api);
/// Stream-ordered device memory.
cudaError_t allocate_ordered(Call& call, void** pointer, std::uint64_t size, cudaStream_t stream);
/// Frees pinned memory; reports other addresses.
cudaError_t release_pinned(Call& call, void* pointer);

}  // namespace warpsim::cudart
