#include "emulator/cudart/padding.h"

#include <algorithm>
#include <cstring>

#include "emulator/machine/written.h"

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kLargestAlignment = 16;
/// How far away the member may be that has the alignment.
constexpr std::uint64_t kNear = 64;

/// Whether a store of at least `width` bytes has written one of [begin, end).
bool has_wide_store(std::span<const std::uint8_t> shadow, std::uint64_t begin, std::uint64_t end,
                    std::uint64_t width) {
  return std::ranges::any_of(shadow.subspan(begin, end - begin),
                             [&](std::uint8_t byte) { return width_of_store(byte) >= width; });
}

/// Whether [begin, end), which are uninitialized and have initialized neighbours, may be padding.
bool is_padding(std::span<const std::uint8_t> shadow, std::uint64_t begin, std::uint64_t end) {
  if (begin == 0) return false;
  for (std::uint64_t alignment = 2; alignment <= kLargestAlignment; alignment *= 2) {
    const std::uint64_t aligned = (begin + alignment - 1) / alignment * alignment;
    if (aligned != end) continue;
    const std::uint64_t before = begin - std::min(begin, kNear);
    const std::uint64_t behind = std::min<std::uint64_t>(end + kNear, shadow.size());
    return has_wide_store(shadow, end, behind, alignment) ||
           has_wide_store(shadow, before, begin, alignment);
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> first_hole(std::span<const std::uint8_t> shadow, std::uint64_t begin,
                                        std::uint64_t end) {
  while (begin < end) {
    const void* const found = std::memchr(shadow.data() + begin, 0, end - begin);
    if (found == nullptr) return std::nullopt;
    const auto hole =
        static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(found) - shadow.data());
    // The bytes that belong together, whether they are copied or not. More than an alignment are
    // not padding wherever they end.
    std::uint64_t first = hole;
    while (first > 0 && shadow[first - 1] == 0 && hole - first < kLargestAlignment) --first;
    std::uint64_t last = hole;
    while (last < shadow.size() && shadow[last] == 0 && last - hole < kLargestAlignment) ++last;
    if (!is_padding(shadow, first, last)) return hole;
    begin = last;
  }
  return std::nullopt;
}

}  // namespace warpsim::cudart
