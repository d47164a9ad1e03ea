#include "emulator/cudart/allocations.h"

#include <fmt/format.h>

namespace warpsim::cudart {

GlobalMemory::Allocation* Allocations::allocate(GlobalMemory& memory, std::uint64_t size,
                                                GlobalMemory::Kind kind, int device,
                                                std::string_view api, const Frames& frames) {
  GlobalMemory::Allocation* allocation =
      memory.allocate(size, kind, fmt::format("{} #{}", api, count_ + 1), device);
  if (allocation == nullptr) return nullptr;
  ++count_;
  origins_[allocation->base] = {.api = api, .frames = frames};
  return allocation;
}

GlobalMemory::Allocation* Allocations::reserve(GlobalMemory& memory, std::uint64_t size, int device,
                                               std::string_view api) {
  GlobalMemory::Allocation* allocation =
      memory.reserve(size, fmt::format("{} #{}", api, count_ + 1), device);
  if (allocation != nullptr) ++count_;
  return allocation;
}

std::string Allocations::next_name(std::string_view api) {
  return fmt::format("{} #{}", api, ++count_);
}

CallSite Allocations::origin(const GlobalMemory::Allocation& allocation) const {
  const auto found = origins_.find(allocation.base);
  if (found == origins_.end()) return {};
  return resolve(found->second.api, found->second.frames);
}

}  // namespace warpsim::cudart
