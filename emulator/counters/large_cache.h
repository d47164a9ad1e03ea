#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/counters/cache.h"

namespace warpsim {

/// A SectorCache for launches of which most need few of its lines. While no set has had more lines
/// than ways, nothing has been evicted, so a table by line tells what is there: neighbours in
/// memory are neighbours in it, and the host's caches hold it. The first line too many moves all
/// to a SectorCache, in the order in which they were used.
class LargeCache {
 public:
  LargeCache(std::uint64_t bytes, std::uint32_t ways);
  /// Invalidates everything.
  void clear();
  /// As SectorCache::access.
  SectorCache::Result access(std::uint64_t line, std::uint32_t sectors, std::uint32_t dirty = 0) {
    if (is_full_) return cache_.access(line, sectors, dirty);
    std::uint64_t& entry = entry_of(line);
    if (entry >> kFlagBits < start_) {
      if (!add(line)) return cache_.access(line, sectors, dirty);
      entry = 0;
    }
    if (dirty != 0) dirty_ += sector_count(dirty & ~(entry >> kSectorsPerLine));
    const auto hit = static_cast<std::uint32_t>(entry) & sectors;
    const std::uint64_t flags = (entry & kFlags) | sectors | dirty << kSectorsPerLine;
    entry = now_++ << kFlagBits | flags;
    return {hit, 0};
  }
  /// The host's memory for a line is about to be needed, which is to be told where it is far apart.
  [[nodiscard]] bool prefetches() const { return is_full_; }
  void prefetch(std::uint64_t line) const { cache_.prefetch(line); }
  [[nodiscard]] std::uint64_t dirty_sectors() const {
    return is_full_ ? cache_.dirty_sectors() : dirty_;
  }

  /// How many requests of a launch there were of each kind, by the sectors that they are for and
  /// those that hit: what follows from that is added up at its end.
  class Requests {
   public:
    void clear() { counts_ = {}; }
    void add(L2Kind kind, std::uint32_t sectors, std::uint32_t hit) {
      ++counts_[static_cast<std::size_t>(kind)][sectors][hit];
    }
    /// Adds sectors, hits and what memory had to give of the sectors asked for.
    void add_to(CacheTotals& totals) const;

   private:
    static constexpr std::size_t kMasks = std::size_t{1} << kSectorsPerLine;
    std::array<std::array<std::array<std::uint64_t, kMasks>, kMasks>, kL2Kinds> counts_ = {};
  };
  Requests requests;

 private:
  static constexpr std::uint32_t kFlagBits = 2 * kSectorsPerLine;  // valid, dirty
  static constexpr std::uint64_t kFlags = (std::uint64_t{1} << kFlagBits) - 1;
  static constexpr std::uint32_t kLog2PageLines = 9;
  static constexpr std::uint32_t kLog2Known = 8;
  /// Of each line: the moment of its last use, and its flags.
  using Page = std::array<std::uint64_t, std::size_t{1} << kLog2PageLines>;
  struct Known {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  std::uint64_t& entry_of(std::uint64_t line) {
    const std::uint64_t number = line >> kLog2PageLines;
    // Arrays are often as far apart as a power of two.
    Known& known = known_[number * 0x9e3779b97f4a7c15u >> (64 - kLog2Known)];
    if (known.number != number) [[unlikely]]
      find(number, known);
    return (*known.page)[line % known.page->size()];
  }
  void find(std::uint64_t number, Known& known);
  [[nodiscard]] bool add(std::uint64_t line);
  void move_all();

  SectorCache cache_;  // has everything once it is full
  bool is_full_ = false;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Known, std::size_t{1} << kLog2Known> known_;
  std::size_t most_pages_;
  std::vector<std::uint8_t> lines_of_set_;
  std::uint32_t ways_;
  std::uint64_t start_ = 1, now_ = 1;  // moments; entries of an earlier one than `start_` are old
  std::uint64_t dirty_ = 0;  // sectors
};

}  // namespace warpsim
