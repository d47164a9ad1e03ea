#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Where the pages of managed memory are, in a model of on-demand migration: memory begins at the
/// host; a group of pages that a kernel uses moves to the device, and one that a copy or a prefetch
/// needs at the host moves back. Accesses of host code are not known, so pages that it uses after a
/// synchronization stay where they are.
class ManagedPages {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  /// What moves at once: the driver fetches the neighbours of a page that faults.
  static constexpr std::uint64_t kGroupBytes = 64 * 1024;

  static constexpr int kHost = -1;  // a place; the others are numbers of devices

  /// The range is needed at a place. @returns bytes that move, whole pages
  std::uint64_t move(const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                     std::uint64_t end, int place);

 private:
  /// The place of each group, by the allocation's id.
  std::unordered_map<std::uint64_t, std::vector<std::int8_t>> places_;
};

}  // namespace warpsim::cudart
