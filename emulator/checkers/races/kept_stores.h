#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/checkers/races/kept_loads.h"
#include "emulator/checkers/races/line_run.h"
#include "emulator/machine/sparse_pages.h"

// Stores to arrays of which every word is written once, and read by no other thread of the launch
// than the one that writes it, before that. None of them conflicts with anything, so they are kept
// as they came, and get lines (lines.h) only once there is another access to the array.

namespace warpsim {

/// The part in a line of a weak store whose lanes follow each other as their places do.
struct KeptStore {
  Epoch epoch;  // without its lane
  std::uint64_t line = 0;  // address / 128
  std::uint32_t order = 0;  // the first part of BlockLines::Line::order; the place in the list is
                            // the second
  // As in LineRun.
  std::uint32_t value = 0;
  std::int16_t origin = 0;
  std::uint8_t first = 0, last = 0;
  std::uint8_t width = 0;
  bool uniform = false;
  std::uint8_t region = 0;

  [[nodiscard]] LineRun run(std::uint64_t block) const {
    LineRun run;
    run.epoch = epoch.bits;
    run.block = static_cast<std::uint32_t>(block);
    run.value = value;
    run.origin = origin;
    run.first = first;
    run.last = last;
    run.width = width;
    run.stride = static_cast<std::int8_t>(width);
    run.uniform = uniform;
    return run;
  }
  /// The words of the line, a bit each.
  [[nodiscard]] std::uint32_t words() const {
    const auto begin = static_cast<std::uint32_t>(origin + first * width) / 4;
    const auto end = static_cast<std::uint32_t>(origin + (last + 1) * width) / 4;
    return ~std::uint32_t{0} >> (32 - (end - begin)) << begin;
  }
};

/// Those of a block, in their order.
struct KeptStores {
  std::vector<KeptStore> list;
  RegionSet regions = 0;  // stores to other allocations do not count
  std::uint64_t block = 0;

  void clear() {
    list.clear();
    regions = 0;
  }
};

/// A set of words of memory. Those that come in ascending order, as most do, are not looked up.
class WordSet {
 public:
  /// Adds what lies between two addresses, which are multiples of 4.
  /// @returns false where a word of it is there already
  [[nodiscard]] bool add(std::uint64_t begin, std::uint64_t end) {
    if (slots_.empty() && (ranges_.empty() || begin >= ranges_.back().end)) {
      ranges_.push_back({begin, end});
      return true;
    }
    return look_up(begin, end);
  }
  void clear() {
    ranges_.clear();
    count_ = 0;
    slots_.clear();
  }

 private:
  struct Slot {
    std::uint64_t line = 0;
    std::uint32_t words = 0;  // none: it is free
  };
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  bool look_up(std::uint64_t begin, std::uint64_t end);
  bool insert(const Range& range);
  bool insert(std::uint64_t line, std::uint32_t words);

  std::vector<Range> ranges_;  // as long as they are in ascending order
  /// After that: all, each line at its hash or behind it.
  std::vector<Slot> slots_;
  std::size_t count_ = 0;  // of lines
};

/// A load of a row to which a store by the same lanes may follow.
struct AwaitedStore {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t lanes = 0;
  std::uint32_t warp = 0;
  std::uint32_t region = 0;
  bool operator==(const AwaitedStore&) const = default;
};

/// The kept stores of blocks that have ended, in the order of the blocks.
class StoresOfBlocks {
 public:
  /// The allocations to which there are stores.
  [[nodiscard]] RegionSet regions() const { return regions_; }
  /// Has to come before add(), once.
  /// @returns the allocations in which a block stores to a word of an earlier one
  [[nodiscard]] RegionSet mark(const KeptStores& block);
  /// @param block  without allocations in which it stores to a word of an earlier one
  void add(const KeptStores& block);
  [[nodiscard]] std::size_t bytes() const { return stores_.size() * sizeof(KeptStore); }
  /// Calls `use` with each block that has stores to these allocations, and all of its stores.
  template <class Use>
  void for_each(RegionSet regions, Use use) const {
    KeptStores stores;
    for (const Block& block : blocks_) {
      if ((block.regions & regions) == 0) continue;
      stores.list.assign(stores_.begin() + static_cast<std::ptrdiff_t>(block.begin),
                         stores_.begin() + static_cast<std::ptrdiff_t>(block.end));
      stores.regions = block.regions;
      stores.block = block.number;
      use(stores);
    }
  }
  /// Forgets stores to these allocations.
  void drop(RegionSet regions);

 private:
  struct Block {
    std::uint64_t number = 0;
    RegionSet regions = 0;
    std::size_t begin = 0, end = 0;  // of stores_
  };
  static constexpr std::uint64_t kPageLines = 4096;
  using Page = std::array<std::uint32_t, kPageLines>;  // of each line, the words

  std::vector<Block> blocks_;
  std::vector<KeptStore> stores_;
  SparsePages<Page> lines_;
  RegionSet regions_ = 0;
};

}  // namespace warpsim
