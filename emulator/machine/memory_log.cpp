#include "emulator/machine/memory_log.h"

#include <algorithm>
#include <cstring>

#include "emulator/machine/address.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {

void MemoryLog::begin(const LaunchState& launch, std::size_t most_bytes) {
  launch_ = &launch;
  pages_.clear();
  last_ = ~std::uint64_t{0};
  pages_left_ = most_bytes / (2 * kPage);
}

void MemoryLog::restore() {
  for (auto& [address, page] : pages_) {
    std::memcpy(page.to, page.bytes.data(), page.bytes.size());
    if (page.shadow != nullptr) std::memcpy(page.shadow, page.written.data(), page.written.size());
  }
  pages_.clear();
  last_ = ~std::uint64_t{0};
}

/// @param page  its first device address; several allocations may have parts of it
void MemoryLog::keep_page(std::uint64_t page) {
  const auto& extents = launch_->extents;
  auto it = std::upper_bound(extents.begin(), extents.end(), page,
                             [](std::uint64_t a, const Extent& extent) { return a < extent.base; });
  if (it != extents.begin()) --it;
  for (; it != extents.end() && it->base < page + kPage; ++it) {
    const std::uint64_t begin = std::max(it->base, page), end = std::min(it->end, page + kPage);
    if (begin >= end) continue;
    const auto [slot, is_new] = pages_.try_emplace(begin);
    if (!is_new) continue;
    if (--pages_left_ == 0) return pages_.clear();
    const GlobalMemory::Allocation& allocation = *it->allocation;
    Page& kept = slot->second;
    kept.to = allocation.host + (begin - it->base);
    kept.bytes.assign(kept.to, kept.to + (end - begin));
    if (allocation.written == nullptr || allocation.all_written) continue;
    kept.shadow = allocation.written + (begin - it->base);
    kept.written.assign(kept.shadow, kept.shadow + (end - begin));
  }
}

void MemoryLog::keep(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = address & ~(kPage - 1);
  const std::uint64_t last = (address + bytes - 1) & ~(kPage - 1);
  if ((first == last_ && last == last_) || pages_left_ == 0) return;
  for (std::uint64_t page = first; page <= last && pages_left_ != 0; page += kPage) {
    keep_page(page);
  }
  last_ = last;
}

void MemoryLog::access(WarpContext&, const MemoryAccess& access) {
  if (access.type == AccessType::load || access.space != ptx::Space::global) return;
  alignas(64) std::uint64_t address[kWarpSize];
  access.spread(address);
  for_lanes(access.lanes, [&](std::size_t lane) { keep(address[lane], access.width); });
}

void MemoryLog::store(WarpContext&, const Inst& in, ptx::Space space, std::uint64_t first,
                      const LaneShape& shape, const StoredValues&) {
  if (space != ptx::Space::global) return;
  const std::uint64_t low = first + static_cast<std::uint64_t>(std::int64_t{shape.low});
  const std::uint64_t high =
      first + static_cast<std::uint64_t>(std::int64_t{shape.high}) + in.width;
  if (high - low <= 64 * kPage) return keep(low, high - low);
  for_lanes(shape.mask, [&](std::size_t lane) {
    keep(first + static_cast<std::uint64_t>(
                     std::int64_t{static_cast<std::int32_t>(shape.relative[lane])}),
         in.width);
  });
}

void MemoryLog::transfer(WarpContext&, const Inst&, std::uint64_t address, std::uint64_t bytes,
                         AccessType type) {
  const bool windowed = (address & ~(kWindowSize - 1)) >= kSharedWindow;
  if (type == AccessType::load || bytes == 0 || windowed) return;
  keep(address, bytes);
}

}  // namespace warpsim
