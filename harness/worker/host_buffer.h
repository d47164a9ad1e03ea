#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpgrade::worker {

/// Overwritten canary bytes on one side of a buffer.
struct CanaryDamage {
  std::size_t distance = 0;  // bytes from the buffer's edge to the nearest changed byte
  std::size_t count = 0;  // bytes; 0 if all are intact
};

/// Host memory for the student's function, laid out to catch out-of-bounds accesses:
///
///   no access | canary ... | buffer | canary (under one alignment unit) | no access
///
/// The buffer ends as near to the second guard as its alignment allows: without one, the byte after
/// the last element faults.
class HostBuffer {
 public:
  /// @param size       bytes, may be 0
  /// @param alignment  of the address minus `offset`; a power of two, at most 4096
  /// @param offset     bytes
  /// @throws std::bad_alloc
  HostBuffer(std::size_t size, std::size_t alignment, std::size_t offset);
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_, size_}; }

  [[nodiscard]] CanaryDamage damage_before() const;
  [[nodiscard]] CanaryDamage damage_behind() const;

  /// Write-protects it: a later write ends the process.
  void freeze();

  /// Whether `address` is in a guard of this buffer.
  [[nodiscard]] bool guards(const void* address) const;

 private:
  std::byte* map_ = nullptr;
  std::size_t map_size_ = 0;
  std::byte* open_ = nullptr;  // the memory between the guards
  std::size_t open_size_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpgrade::worker
