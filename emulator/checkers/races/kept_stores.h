#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/checkers/races/kept_loads.h"
#include "emulator/checkers/races/line_run.h"
#include "emulator/machine/sparse_pages.h"

// Stores to arrays of which every line is written by one warp, once, and read by no thread of the
// launch. None of them conflicts with anything, so they are kept as they came, and get lines
// (lines.h) only once there is another access to the array.

namespace warpsim {

/// A weak store of consecutive words of a line by consecutive lanes.
struct KeptStore {
  Epoch epoch;  // without its lane
  std::uint64_t line = 0;  // address / 128
  std::uint32_t order = 0;  // the first part of BlockLines::Line::order; the place in the list is
                            // the second
  // As in LineRun.
  std::uint32_t value = 0;
  std::int16_t origin = 0;
  std::uint8_t first = 0, last = 0;
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
    run.width = run.stride = 4;
    run.uniform = uniform;
    return run;
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

/// A set of lines. Those that come in ascending order, as most do, are not looked up.
class LineSet {
 public:
  /// @param stores  all that were added before, in their order
  /// @returns false where it is there already
  [[nodiscard]] bool add(std::uint64_t line, const std::vector<KeptStore>& stores) {
    if (line >= end_ && slots_.empty()) {
      end_ = line + 1;
      return true;
    }
    return look_up(line, stores);
  }
  void clear() {
    end_ = 0;
    count_ = 0;
    slots_.clear();
  }

 private:
  bool look_up(std::uint64_t line, const std::vector<KeptStore>& stores);
  bool insert(std::uint64_t line);

  std::uint64_t end_ = 0;  // after the last line
  /// Once one was out of order: all, each at its hash or behind it. A free slot has 0.
  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0;
};

/// The kept stores of blocks that have ended, in the order of the blocks.
class StoresOfBlocks {
 public:
  /// The allocations to which there are stores.
  [[nodiscard]] RegionSet regions() const { return regions_; }
  /// Has to come before add(), once.
  /// @returns the allocations in which a block stores to a line of an earlier one
  [[nodiscard]] RegionSet mark(const KeptStores& block);
  /// @param block  without allocations in which it stores to a line of an earlier one
  void add(const KeptStores& block);
  [[nodiscard]] std::size_t bytes() const { return stores_.size() * sizeof(KeptStore); }
  /// Calls `use` with the number of each line that is stored to in these allocations, and its run.
  template <class Use>
  void for_each(RegionSet regions, Use use) const {
    for (const Block& block : blocks_) {
      const RegionSet both = block.regions & regions;
      for (std::size_t i = block.begin; both != 0 && i < block.end; ++i) {
        const KeptStore& store = stores_[i];
        if ((both & region_bit(store.region)) != 0) use(store.line, store.run(block.number));
      }
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
  using Page = std::bitset<kPageLines>;

  std::vector<Block> blocks_;
  std::vector<KeptStore> stores_;
  SparsePages<Page> lines_;  // that are stored to
  RegionSet regions_ = 0;
};

}  // namespace warpsim
