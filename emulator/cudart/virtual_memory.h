#pragma once

#include <cstdint>

#include "emulator/cudart/api.h"
#include "emulator/machine/virtual_memory.h"

// Virtual memory management. Its functions are the driver API's; they check their arguments, report
// calls that are refused, and return the runtime's names of the driver's errors.

namespace warpsim::cudart {

/// @param hint  an address, or 0
cudaError_t reserve_addresses(Call& call, std::uint64_t& address, std::uint64_t bytes,
                              std::uint64_t alignment, std::uint64_t hint);
cudaError_t free_addresses(Call& call, std::uint64_t address, std::uint64_t bytes);
/// @param handle_types  that it may be exported as: bits of CUmemAllocationHandleType
cudaError_t create_memory(Call& call, std::uint64_t& handle, std::uint64_t bytes, int device,
                          unsigned handle_types);
cudaError_t release_memory(Call& call, std::uint64_t handle);
cudaError_t map_memory(Call& call, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
                       std::uint64_t handle);
cudaError_t unmap_memory(Call& call, std::uint64_t address, std::uint64_t bytes);
cudaError_t set_access(Call& call, std::uint64_t address, std::uint64_t bytes, int device,
                       bool reads, bool writes);
/// The handle of the memory that is mapped at an address.
cudaError_t retain_memory(Call& call, std::uint64_t& handle, std::uint64_t address);
cudaError_t export_memory(Call& call, int& descriptor, std::uint64_t handle);
cudaError_t import_memory(Call& call, std::uint64_t& handle, int descriptor);

/// Reports handles, mappings and ranges that are left.
void find_virtual_memory_leaks(Runtime& runtime);

}  // namespace warpsim::cudart
