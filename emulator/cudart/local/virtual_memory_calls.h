#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace warpsim::cudart {

/// What the driver API asks of the runtime for virtual memory management. The functions that may
/// report something get the return address of the driver's function.
struct VirtualMemoryCalls {
  using From = const void*;

  std::uint64_t granularity = 0;  // of addresses and sizes, in bytes

  cudaError_t (*reserve)(From, std::uint64_t& address, std::uint64_t bytes, std::uint64_t alignment,
                         std::uint64_t hint);
  cudaError_t (*free)(From, std::uint64_t address, std::uint64_t bytes);
  /// @param handle_types  bits of CUmemAllocationHandleType
  cudaError_t (*create)(From, std::uint64_t& handle, std::uint64_t bytes, int device,
                        unsigned handle_types);
  cudaError_t (*release)(From, std::uint64_t handle);
  cudaError_t (*map)(From, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
                     std::uint64_t handle);
  cudaError_t (*unmap)(From, std::uint64_t address, std::uint64_t bytes);
  cudaError_t (*set_access)(From, std::uint64_t address, std::uint64_t bytes, int device,
                            bool reads, bool writes);
  cudaError_t (*retain)(From, std::uint64_t& handle, std::uint64_t address);
  cudaError_t (*to_descriptor)(From, int& descriptor, std::uint64_t handle);
  cudaError_t (*from_descriptor)(From, std::uint64_t& handle, int descriptor);

  struct Memory {
    int device = 0;
    unsigned handle_types = 0;
  };
  /// @returns false for an unknown handle
  bool (*memory)(std::uint64_t handle, Memory& memory);
  /// What is at an address.
  struct Place {
    std::uint64_t range = 0, range_bytes = 0;
    std::uint64_t mapping = 0, mapping_bytes = 0;
    std::uint32_t access = 0;  // devices, as bits
    std::uint32_t read_only = 0;  // those of them that may not write
    unsigned handle_types = 0;
  };
  /// @returns false where nothing is mapped
  bool (*place)(std::uint64_t address, Place& place);
};

[[nodiscard]] const VirtualMemoryCalls& virtual_memory_calls();

}  // namespace warpsim::cudart
