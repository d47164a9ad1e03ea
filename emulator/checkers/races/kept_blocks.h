#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/checkers/races/kept_loads.h"

namespace warpsim {

/// How much memory loads may take that are kept, in a launch with these bytes in allocations.
[[nodiscard]] constexpr std::size_t kept_bytes_for(std::size_t allocated) {
  return std::max(std::size_t{64} << 20, allocated / 4);
}

/// The kept loads of blocks that have ended, in the order of the blocks. Most blocks of a kernel
/// make the same loads, each array's at a distance of its own from those of the block before. Such
/// blocks share one list and keep the distances.
class KeptBlocks {
 public:
  explicit KeptBlocks(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  /// @param block  has loads; later than those that are here
  void add(const LoadsOfBlock& block);
  /// The allocations of which there are loads.
  [[nodiscard]] RegionSet regions() const { return regions_; }
  /// There is no room for more.
  [[nodiscard]] bool is_full() const { return bytes_ > most_bytes_; }
  /// Calls `use` with each block that has loads from these allocations, and all of its loads.
  template <class Use>
  void for_each(RegionSet regions, Use use) const {
    KeptLoads loads;
    for (const Block& block : blocks_) {
      if ((lists_[block.list].regions & regions) == 0) continue;
      of_block(block).restore(loads);
      use(loads);
    }
  }
  /// Forgets loads from these allocations.
  void drop(RegionSet regions);

 private:
  /// How many lists are compared with a block: those that were used last.
  static constexpr std::size_t kCompared = 4;

  struct List {
    std::shared_ptr<const KeptLoads> loads;
    RegionSet regions = 0;  // as in LoadsOfBlock
  };
  struct Block {
    std::uint64_t block = 0;
    std::uint32_t start = 0;  // KeptLoads::start
    std::uint32_t list = 0;
    std::size_t distances = 0;  // the first: one for each allocation of the list, in their order
  };

  [[nodiscard]] static bool fits(const List& list, const LoadsOfBlock& block,
                                 LoadDistances& distances);
  [[nodiscard]] LoadsOfBlock of_block(const Block& block) const;

  std::vector<List> lists_;
  std::vector<std::uint32_t> recent_;  // lists, the last one first
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> distances_;
  LoadDistances to_block_;  // of the block that is being added
  RegionSet regions_ = 0;
  std::size_t bytes_ = 0, most_bytes_ = 0;
};

}  // namespace warpsim
