#include "emulator/cudart/managed_pages.h"

#include <algorithm>

namespace warpsim::cudart {

std::uint64_t ManagedPages::move(const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                                 std::uint64_t end, int place) {
  begin = std::max(begin, allocation.base) - allocation.base;
  end = std::min(end, allocation.base + allocation.size) - allocation.base;
  if (begin >= end) return 0;
  auto& groups = places_[allocation.id];
  groups.resize((allocation.size + kGroupBytes - 1) / kGroupBytes, kHost);
  std::uint64_t bytes = 0;
  for (std::uint64_t group = begin / kGroupBytes; group <= (end - 1) / kGroupBytes; ++group) {
    if (groups[group] == place) continue;
    groups[group] = static_cast<std::int8_t>(place);
    const std::uint64_t size = std::min(kGroupBytes, allocation.size - group * kGroupBytes);
    bytes += (size + kPageBytes - 1) / kPageBytes * kPageBytes;
  }
  return bytes;
}

}  // namespace warpsim::cudart
