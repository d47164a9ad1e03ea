#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/checkers/races/kept_loads.h"
#include "emulator/checkers/races/line_run.h"
#include "emulator/checkers/races/word_owners.h"
#include "emulator/machine/observer.h"
#include "emulator/machine/sparse_pages.h"

// Stores to arrays of which every word is either accessed by one thread of the launch alone, or
// only read. None of the accesses conflicts with anything, so they are kept as they came, and get
// lines (lines.h) only once there is another access to the array.

namespace warpsim {

/// The part in a line of a weak store whose lanes follow each other as their places do, or a whole
/// store of lanes that lie in another way.
struct KeptStore {
  Epoch epoch;  // without its lane
  std::uint64_t line = 0;  // address / 128; of a whole store, its index in KeptStores::scattered
  std::uint32_t order = 0;  // the first part of BlockLines::Line::order; the place in the list is
                            // the second
  std::uint16_t since_floor = 0;  // ticks since BlockOrder::floor of that time
  // As in LineRun.
  std::int16_t origin = 0;
  std::uint32_t value = 0;
  std::uint8_t first = 0, last = 0;
  std::uint8_t width = 0;  // 0: it is a whole store
  bool uniform : 1 = false;
  std::uint8_t region : 6 = 0;

  /// Whether `since_floor` has room.
  [[nodiscard]] static bool has_room(Epoch epoch, std::uint32_t floor) {
    return epoch.tick() - floor <= 0xffff;
  }
  [[nodiscard]] std::uint64_t floor_bits() const {
    return std::uint64_t{epoch.tick() - since_floor} << Epoch::kTickShift;
  }
  [[nodiscard]] bool is_whole() const { return width == 0; }
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
};

static_assert(sizeof(KeptStore) == 32);  // most kernels store more than they keep of it

/// What a KeptStore does not say of a store whose lanes lie anywhere.
struct ScatteredStore {
  std::uint64_t first = 0;  // the first active lane's address
  std::uint32_t lanes = 0;
  std::uint32_t width = 0;  // bytes per lane
  /// How the lanes lie: as these do. Null: each in its place of a row, or else as 32 words of
  /// KeptStores::words say, before what they store.
  const LoadPlaces* places = nullptr;
  bool has_relative = false;
  // As in StoredValues; the registers are in KeptStores::words. No elements: they are unknown.
  std::uint8_t count = 0, register_bytes = 0, element_bytes = 0;
  std::size_t words = 0;  // where its part of these begins

  /// @param address  32 places, filled in
  void spread(const std::vector<std::uint32_t>& all, std::uint64_t* address) const;
  /// What it stored. @returns false where that is unknown
  bool values_of(const std::vector<std::uint32_t>& all, StoredValues& values) const;
};

/// How the lanes of a store lie that is to be kept.
struct StorePlaces {
  bool is_row = false;  // each in its place of a row
  const LoadPlaces* places = nullptr;  // else as these do, which other stores share
  const LaneShape* shape = nullptr;  // or else as this one
};

/// Those of a block, in their order.
struct KeptStores {
  std::vector<KeptStore> list;
  std::vector<ScatteredStore> scattered;
  std::vector<std::uint32_t> words;
  RegionSet regions = 0;  // stores to other allocations do not count
  std::uint64_t block = 0;
  /// The allocations of which `lines` has all that the block has accessed.
  RegionSet tracked = 0;
  std::vector<OwnedLine> lines;

  void clear() {
    list.clear();
    scattered.clear();
    words.clear();
    lines.clear();
    regions = tracked = 0;
  }
};

/// The kept stores of blocks that have ended, in the order of the blocks.
class StoresOfBlocks {
 public:
  /// The allocations to which there are stores.
  [[nodiscard]] RegionSet regions() const { return regions_; }
  /// What a block has accessed of some allocations. It has to come before add(), once.
  /// @returns those of which a word was accessed by an earlier block, and one of both has stored
  /// to it
  [[nodiscard]] RegionSet mark(const std::vector<OwnedLine>& lines, RegionSet regions);
  /// The same for a block's loads from some allocations.
  [[nodiscard]] RegionSet mark(const KeptLoads& loads, RegionSet regions);
  /// @param block  without allocations that mark() has returned
  void add(const KeptStores& block);
  [[nodiscard]] std::size_t bytes() const {
    return stores_.size() * sizeof(KeptStore) + scattered_.size() * sizeof(ScatteredStore) +
           words_.size() * sizeof(std::uint32_t);
  }
  /// The next block that has stores to these allocations, of those up to a number.
  /// @param at  where to go on, first 0; moved after the block
  /// @param stores  filled in: all of its stores
  /// @returns whether there is one
  [[nodiscard]] bool next(std::size_t& at, std::uint64_t last, RegionSet regions,
                          KeptStores& stores) const;
  /// Forgets stores to these allocations.
  void drop(RegionSet regions);

 private:
  struct Block {
    std::uint64_t number = 0;
    RegionSet regions = 0;
    // Where its parts of the lists begin.
    std::size_t stores = 0, scattered = 0, words = 0;
  };
  /// Of a line, the words that some block has accessed.
  struct Words {
    std::uint32_t read = 0, written = 0;
  };
  static constexpr std::uint64_t kPageLines = 4096;
  using Page = std::array<Words, kPageLines>;

  std::vector<Block> blocks_;
  std::vector<KeptStore> stores_;
  std::vector<ScatteredStore> scattered_;
  std::vector<std::uint32_t> words_;
  SparsePages<Page> lines_;
  RegionSet regions_ = 0;
};

}  // namespace warpsim
