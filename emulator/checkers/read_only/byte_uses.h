#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "emulator/machine/sparse_pages.h"

namespace warpsim {

/// An access to a byte: which thread of the launch, from 1, and by which instruction, by a number.
struct ByteUse {
  std::uint32_t thread = 0;  // 0: none
  std::uint16_t site = 0;
};

/// By byte, who reads it by a read-only load and who wrote it last. A read and a write of a byte
/// contradict each other if two threads make them, in either order, or if one thread writes first
/// and reads afterwards. A thread that reads its element and then writes it gets the old value,
/// which is the one that it wants. So whether there is a contradiction does not depend on the order
/// in which threads run.
class ByteUses {
 public:
  /// @returns the write that contradicts the read of one of `count` bytes
  std::optional<ByteUse> read(std::uint64_t address, std::uint64_t count, ByteUse reader);
  /// @returns the read that contradicts the write
  std::optional<ByteUse> write(std::uint64_t address, std::uint64_t count, ByteUse writer);
  void clear() { pages_.clear(); }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  /// Of a byte. Two readers are enough, since one of them is not the thread that writes.
  struct Page {
    std::array<std::uint32_t, kPageBytes> first_reader = {}, other_reader = {}, writer = {};
    std::array<std::uint16_t, kPageBytes> first_site = {}, other_site = {}, writer_site = {};
  };

  SparsePages<Page> pages_;
};

}  // namespace warpsim
