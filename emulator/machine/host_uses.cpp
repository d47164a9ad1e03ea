#include "emulator/machine/host_uses.h"

#include <algorithm>
#include <array>

#include "emulator/machine/races.h"

namespace warpsim {
namespace {

// Bits of a byte's use.
constexpr std::uint8_t kRead = 1;
constexpr std::uint8_t kWritten = 2;
constexpr std::uint8_t kSignal = 4;

/// A kernel that strides through a large array would have as many pieces as elements.
constexpr std::size_t kMostUses = std::size_t{1} << 20;

bool host_reaches(GlobalMemory::Kind kind) {
  using Kind = GlobalMemory::Kind;
  return kind == Kind::pinned || kind == Kind::managed || kind == Kind::registered;
}

std::uint8_t bits_of(const LaunchRaces& races, const LineRun& run) {
  const Stamp what = run.what();
  if (what.site() < races.sites.size() && races.sites[what.site()].system) {
    // Host code may change at any time what a kernel reads like this.
    return what.write() ? kSignal : 0;
  }
  return what.write() ? kWritten : kRead;
}

/// Collects a line's bytes, and joins what continues the line before.
class Uses {
 public:
  Uses(const Extent& extent, std::vector<HostUse>& uses) : extent_(extent), uses_(uses) {}

  void add(std::uint64_t number, const LineRun& run, std::uint8_t bits) {
    if (number != number_) finish();
    number_ = number;
    for (int byte = run.begin(); byte < run.end(); ++byte) {
      line_[static_cast<std::size_t>(byte)] |= bits;
    }
  }

  void finish() {
    const std::uint64_t start = number_ * kRaceLineBytes;
    for (std::size_t i = 0; i < line_.size();) {
      std::size_t end = i + 1;
      while (end < line_.size() && line_[end] == line_[i]) ++end;
      put(start + i, start + end, line_[i]);
      i = end;
    }
    line_.fill(0);
  }

 private:
  void put(std::uint64_t begin, std::uint64_t end, std::uint8_t bits) {
    begin = std::max(begin, extent_.base);
    end = std::min(end, extent_.end);
    if (bits == 0 || begin >= end) return;
    const HostUse use{begin, end, (bits & kWritten) != 0, (bits & kSignal) != 0};
    if (!uses_.empty() && uses_.back().end == begin && uses_.back().written == use.written &&
        uses_.back().signal == use.signal) {
      uses_.back().end = end;
    } else if (uses_.size() < kMostUses) {
      uses_.push_back(use);
    }
  }

  const Extent& extent_;
  std::vector<HostUse>& uses_;
  std::uint64_t number_ = 0;
  std::array<std::uint8_t, kRaceLineBytes> line_ = {};
};

}  // namespace

std::vector<HostUse> find_host_uses(const LaunchState& launch) {
  std::vector<HostUse> result;
  if (launch.races == nullptr) return result;
  for (const Extent& extent : launch.extents) {
    if (!host_reaches(extent.allocation->kind)) continue;
    Uses uses(extent, result);
    launch.races->grid.for_each(extent.base / kRaceLineBytes, (extent.end - 1) / kRaceLineBytes,
                                [&](std::uint64_t number, const LineRun& run) {
                                  uses.add(number, run, bits_of(*launch.races, run));
                                });
    uses.finish();
  }
  return result;
}

}  // namespace warpsim
