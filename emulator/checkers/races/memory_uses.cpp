#include <algorithm>
#include <array>
#include <bitset>

#include "emulator/checkers/races/races.h"

namespace warpsim {
namespace {

/// A kernel that strides through a large array would have as many pieces as elements. They are kept
/// for as long as the work may still run.
constexpr std::size_t kMostUses = std::size_t{1} << 17;

std::uint8_t how_of(const LaunchRaces& races, const LineRun& run) {
  const Epoch what = run.what();
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
    if (only_.how == 0 && !many_ && !run.has_gaps()) {
      only_ = now;  // most lines are used once
      return;
    }
    if (!many_ && only_.how != 0) fill(only_);
    many_ = true;
    run.for_bytes([&](std::size_t byte) { line_[byte] |= how; });
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

/// What a launch that has ended did to memory that host code can reach, or to all of it.
std::vector<MemoryUse> find_memory_uses(const LaunchState& launch, bool all) {
  std::vector<MemoryUse> result;
  for (std::size_t i = 0; i < launch.extents.size(); ++i) {
    const Extent& extent = launch.extents[i];
    if (!all && !extent.allocation->on_host()) continue;
    if (i < kKeptRegions) races_of(launch).grid.open(region_bit(static_cast<std::uint32_t>(i)));
    Uses uses(extent, result);
    races_of(launch).grid.for_each(extent.base / kRaceLineBytes, (extent.end - 1) / kRaceLineBytes,
                                   [&](std::uint64_t number, const LineRun& run) {
                                     uses.add(number, run, how_of(races_of(launch), run));
                                   });
    uses.finish();
    // What is missing may be the word by which two kernels talk.
    if (all && uses.incomplete()) return find_memory_uses(launch, false);
  }
  return result;
}

/// A kernel that strides through a large array would have as many pieces as elements: beyond this
/// number those that lie near each other are joined.
constexpr std::size_t kMostRanges = std::size_t{1} << 15;

/// Joins ranges that are less than `gap` bytes apart.
void join(std::vector<MemoryRange>& ranges, std::uint64_t gap) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin - ranges[kept].end < gap) {
      ranges[kept].end = ranges[i].end;
    } else {
      ranges[++kept] = ranges[i];
    }
  }
  if (!ranges.empty()) ranges.resize(kept + 1);
}

/// Collects ranges in order of address.
class Ranges {
 public:
  explicit Ranges(std::vector<MemoryRange>& ranges) : ranges_(ranges) {}

  void add(std::uint64_t begin, std::uint64_t end) {
    if (!ranges_.empty() && begin - ranges_.back().end < gap_) {
      ranges_.back().end = end;
      return;
    }
    ranges_.push_back({begin, end});
    while (ranges_.size() > kMostRanges) {
      gap_ *= 8;
      join(ranges_, gap_);
    }
  }
  [[nodiscard]] bool joined() const { return gap_ > 1; }

 private:
  std::vector<MemoryRange>& ranges_;
  std::uint64_t gap_ = 1;
};

void add_line(const LineBytes& bytes, std::uint64_t start, const Extent& extent, Ranges& ranges) {
  for (std::size_t i = 0; bytes.any() && i < bytes.size();) {
    const bool touched = bytes[i];
    std::size_t end = i + 1;
    while (end < bytes.size() && bytes[end] == touched) ++end;
    const std::uint64_t from = std::max(start + i, extent.base);
    const std::uint64_t to = std::min(start + end, extent.end);
    if (touched && from < to) ranges.add(from, to);
    i = end;
  }
}

/// Which bytes of all memory a launch that has ended read and wrote. What texture instructions and
/// loads of constants read is not among them.
TouchedMemory find_touched_memory(const LaunchState& launch) {
  TouchedMemory touched;
  races_of(launch).grid.open(~RegionSet{0});
  Ranges reads(touched.reads);
  Ranges writes(touched.writes);
  for (const Extent& extent : launch.extents) {
    LineBytes read, written;
    std::uint64_t line = 0;
    const auto finish = [&] {
      add_line(read, line * kRaceLineBytes, extent, reads);
      add_line(written, line * kRaceLineBytes, extent, writes);
      read.reset();
      written.reset();
    };
    races_of(launch).grid.for_each(extent.base / kRaceLineBytes, (extent.end - 1) / kRaceLineBytes,
                                   [&](std::uint64_t number, const LineRun& run) {
                                     if (number != line) finish();
                                     line = number;
                                     const Epoch what = run.what();
                                     if (what.write()) written |= bytes_of(run);
                                     // An atomic reads, too.
                                     const bool reads_also =
                                         run.was_read || (what.strong() && !what.is_volatile());
                                     if (!what.write() || reads_also) read |= bytes_of(run);
                                   });
    finish();
  }
  touched.joined = reads.joined() || writes.joined();
  return touched;
}

}  // namespace

void RaceChecker::add_results(const LaunchState& launch, const LaunchRequest& request,
                              LaunchResult& result) {
  result.uses = find_memory_uses(launch, request.wants_all_uses);
  if (request.traces_data) result.touched = find_touched_memory(launch);
}

}  // namespace warpsim
