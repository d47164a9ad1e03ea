#include "emulator/machine/memory_uses.h"

#include <algorithm>
#include <array>

#include "emulator/machine/races.h"

namespace warpsim {
namespace {

/// A kernel that strides through a large array would have as many pieces as elements. They are kept
/// for as long as the work may still run.
constexpr std::size_t kMostUses = std::size_t{1} << 17;

std::uint8_t how_of(const LaunchRaces& races, const LineRun& run) {
  const Stamp what = run.what();
  if (what.site() < races.sites.size() && races.sites[what.site()].system) {
    return what.write() ? MemoryUse::kSignal : MemoryUse::kLook;
  }
  const int plain = what.strong() && !what.narrow_scope() ? 0 : MemoryUse::kPlain;
  return static_cast<std::uint8_t>((what.write() ? MemoryUse::kWritten : MemoryUse::kRead) | plain);
}

/// Collects a line's bytes, and joins what continues the line before.
class Uses {
 public:
  Uses(const Extent& extent, std::vector<MemoryUse>& uses) : extent_(extent), uses_(uses) {}

  void add(std::uint64_t number, const LineRun& run, std::uint8_t how) {
    if (number != number_) finish();
    number_ = number;
    const MemoryUse now{static_cast<std::uint64_t>(run.begin()),
                        static_cast<std::uint64_t>(run.end()), how};
    if (only_.how == 0) {
      only_ = now;  // most lines are used once
      return;
    }
    if (!many_) fill(only_);
    many_ = true;
    fill(now);
  }

  /// There were too many, and some are missing.
  [[nodiscard]] bool incomplete() const { return incomplete_; }

  void finish() {
    const std::uint64_t start = number_ * kRaceLineBytes;
    if (many_) {
      for (std::size_t i = 0; i < line_.size();) {
        std::size_t end = i + 1;
        while (end < line_.size() && line_[end] == line_[i]) ++end;
        put(start + i, start + end, line_[i]);
        i = end;
      }
      line_.fill(0);
      many_ = false;
    } else {
      put(start + only_.begin, start + only_.end, only_.how);
    }
    only_ = {};
  }

 private:
  void fill(const MemoryUse& use) {
    for (std::uint64_t byte = use.begin; byte < use.end; ++byte) line_[byte] |= use.how;
  }

  void put(std::uint64_t begin, std::uint64_t end, std::uint8_t how) {
    const MemoryUse use{std::max(begin, extent_.base), std::min(end, extent_.end), how};
    if (how == 0 || use.begin >= use.end) return;
    if (!uses_.empty() && uses_.back().continues_as(use)) {
      uses_.back().end = use.end;
    } else if (uses_.size() < kMostUses) {
      uses_.push_back(use);
    } else {
      incomplete_ = true;
    }
  }

  const Extent& extent_;
  std::vector<MemoryUse>& uses_;
  std::uint64_t number_ = 0;  // of the line
  MemoryUse only_ = {};  // its first run, in bytes of the line; how is 0 before that
  bool incomplete_ = false;
  bool many_ = false;  // it has several, and they are in line_
  std::array<std::uint8_t, kRaceLineBytes> line_ = {};  // each byte's how
};

}  // namespace

std::vector<MemoryUse> find_memory_uses(const LaunchState& launch, bool all) {
  std::vector<MemoryUse> result;
  if (launch.races == nullptr) return result;
  for (const Extent& extent : launch.extents) {
    if (!all && !extent.allocation->on_host()) continue;
    Uses uses(extent, result);
    launch.races->grid.for_each(extent.base / kRaceLineBytes, (extent.end - 1) / kRaceLineBytes,
                                [&](std::uint64_t number, const LineRun& run) {
                                  uses.add(number, run, how_of(*launch.races, run));
                                });
    uses.finish();
    // What is missing may be the word by which two kernels talk.
    if (all && uses.incomplete()) return find_memory_uses(launch, false);
  }
  return result;
}

}  // namespace warpsim
