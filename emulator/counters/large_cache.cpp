#include "emulator/counters/large_cache.h"

#include <algorithm>
#include <utility>

namespace warpsim {

LargeCache::LargeCache(std::uint64_t bytes, std::uint32_t ways)
    : cache_(bytes, ways),
      most_pages_(2 * (cache_.lines() >> kLog2PageLines) + 64),
      lines_of_set_(cache_.sets(), 0),
      ways_(ways) {}

void LargeCache::clear() {
  // Launches resemble each other: where nothing was evicted, nothing will be. Then it is not worth
  // it to begin with the table after a launch that evicted lines, as that has to be moved.
  const bool was_full = is_full_;
  is_full_ = was_full && cache_.has_evicted();
  cache_.clear();
  std::ranges::fill(lines_of_set_, std::uint8_t{0});
  start_ = now_;
  dirty_ = 0;
  if (is_full_ || pages_.size() >= most_pages_) {
    pages_.clear();
    known_ = {};
  }
}

void LargeCache::find(std::uint64_t number, Known& known) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  known = {number, page.get()};
}

void LargeCache::Requests::add_to(CacheTotals& totals) const {
  for (std::size_t kind = 0; kind < kL2Kinds; ++kind) {
    const bool writes = kind == static_cast<std::size_t>(L2Kind::write);
    for (std::size_t sectors = 0; sectors < kMasks; ++sectors) {
      for (std::size_t hit = 0; hit < kMasks; ++hit) {
        const std::uint64_t times = counts_[kind][sectors][hit];
        const std::uint64_t count = sector_count(sectors);
        // Writes never wait for memory.
        const std::uint64_t hits = writes ? count : sector_count(hit);
        totals.sectors[kind] += times * count;
        totals.hits[kind] += times * hits;
        totals.dram_reads += times * (count - hits);
      }
    }
  }
}

/// @returns false where there is no room, so that it is full now
bool LargeCache::add(std::uint64_t line) {
  std::uint8_t& lines = lines_of_set_[cache_.set_of(line)];
  if (lines < ways_ && pages_.size() <= most_pages_) {
    ++lines;
    return true;
  }
  move_all();
  return false;
}

void LargeCache::move_all() {
  struct Used {
    std::uint64_t entry = 0;  // ordered by moment
    std::uint64_t line = 0;
  };
  // Those of each set, set after set.
  std::vector<std::size_t> next(lines_of_set_.size() + 1, 0);
  for (std::size_t set = 0; set < lines_of_set_.size(); ++set) {
    next[set + 1] = next[set] + lines_of_set_[set];
  }
  std::vector<Used> all(next.back());
  for (const auto& [number, page] : pages_) {
    for (std::size_t i = 0; i < page->size(); ++i) {
      const std::uint64_t entry = (*page)[i];
      if (entry >> kFlagBits < start_) continue;
      const std::uint64_t line = number << kLog2PageLines | i;
      all[next[cache_.set_of(line)]++] = {entry, line};
    }
  }
  std::size_t begin = 0;
  for (std::size_t set = 0; set < lines_of_set_.size(); ++set) {
    const std::size_t end = begin + lines_of_set_[set];
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin),
              all.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Used& a, const Used& b) { return a.entry < b.entry; });
    for (; begin < end; ++begin) {
      const auto flags = static_cast<std::uint32_t>(all[begin].entry & kFlags);
      static_cast<void>(cache_.access(all[begin].line, flags & ((1u << kSectorsPerLine) - 1),
                                      flags >> kSectorsPerLine));
    }
  }
  is_full_ = true;
}

}  // namespace warpsim
