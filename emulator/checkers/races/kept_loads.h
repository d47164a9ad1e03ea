#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/isa/lane_shape.h"

// Loads from arrays that no thread of the launch writes. No two loads conflict, so they are kept as
// they came, one entry for a warp's load, and get lines (lines.h) only once there is another access
// to the array. Those of a loop are kept as one turn and the steps to the next one, and those of a
// block that are the same as another block's, at other places, as the distances from them.

namespace warpsim {

/// Allocations are numbered as in LaunchState::extents. Of those with numbers from here on nothing
/// is kept.
inline constexpr std::uint32_t kKeptRegions = 64;
using RegionSet = std::uint64_t;  // bit i: allocation i
[[nodiscard]] constexpr RegionSet region_bit(std::uint32_t region) {
  return RegionSet{1} << region;
}
/// Calls `use` with the number of each allocation.
template <class Use>
void for_regions(RegionSet regions, Use use) {
  for (; regions != 0; regions &= regions - 1) {
    use(static_cast<std::uint32_t>(std::countr_zero(regions)));
  }
}

/// How the lanes of loads lie. Loads share it.
struct LoadPlaces {
  std::array<std::uint32_t, 32> relative = {};  // LaneShape::relative
  std::uint32_t mask = 0;
  std::uint32_t width = 0;
  /// Of consecutive lanes that load consecutive places, where these begin and end; else both are 0.
  std::uint32_t row_begin = 0, row_end = 0;
  bool one_place = false;  // of all lanes

  LoadPlaces(const LaneShape& shape, std::uint32_t bytes);
  [[nodiscard]] bool is(const LaneShape& shape, std::uint32_t bytes) const;
  /// @param first  the first active lane's address
  /// @param address  32 places, filled in; those of inactive lanes mean nothing
  void spread(std::uint64_t first, std::uint64_t* address) const {
    for (std::size_t i = 0; i < relative.size(); ++i) {
      const auto distance = static_cast<std::int32_t>(relative[i]);
      address[i] = first + static_cast<std::uint64_t>(std::int64_t{distance});
    }
  }
};

/// A weak load of a warp.
struct KeptLoad {
  Epoch epoch;  // without its lane
  std::uint64_t first = 0;  // the first active lane's address
  std::uint64_t step = 0;  // in a loop: to that of the next turn
  const LoadPlaces* places = nullptr;
  std::uint32_t floor = 0;  // BlockOrder::floor at that time
  std::uint32_t region : 6 = 0;
  std::uint32_t order : 26 = 0;  // BlockLines::Line::order of lines that it is the first to touch
};
inline constexpr std::uint32_t kMostOrders = (1u << 26) - 1;
/// How far apart the orders of loads are that are kept one after the other.
inline constexpr std::uint32_t kOrderStep = 2;

/// Loads of a list that were made again and again, each time at the same distance from the last.
struct KeptLoop {
  std::uint32_t begin = 0, length = 0;  // those of one turn
  std::uint32_t turns = 0;
  std::uint32_t ticks = 0;  // from one turn to the next
  bool operator==(const KeptLoop&) const = default;
};
/// @param load  of the loop's first turn
[[nodiscard]] KeptLoad of_turn(KeptLoad load, const KeptLoop& loop, std::uint32_t turn);

/// Those of a block, in their order.
struct KeptLoads {
  std::vector<KeptLoad> loads;
  std::vector<KeptLoop> loops;  // in their order
  RegionSet regions = 0;  // loads from other allocations do not count
  std::uint64_t block = 0;
  std::uint32_t start = 0;  // BlockOrder::floor when it began

  void clear() {
    loads.clear();
    loops.clear();
    regions = 0;
  }
  /// Calls `use` with each load, those of each turn of a loop included.
  template <class Use>
  void for_each(Use use) const {
    std::uint32_t next = 0;
    for (const KeptLoop& loop : loops) {
      for (; next < loop.begin; ++next) use(loads[next]);
      for (std::uint32_t turn = 0; turn < loop.turns; ++turn) {
        for (std::uint32_t i = 0; i < loop.length; ++i) {
          use(of_turn(loads[loop.begin + i], loop, turn));
        }
      }
      next = loop.begin + loop.length;
    }
    for (; next < loads.size(); ++next) use(loads[next]);
  }
};

/// What to add to the addresses of loads, by allocation; those of higher numbers have no loads.
using LoadDistances = std::vector<std::uint64_t>;

/// Those of a block as a list that it may share with others.
struct LoadsOfBlock {
  std::shared_ptr<const KeptLoads> list;  // null: there are none
  LoadDistances distances;  // from those of the list
  RegionSet regions = 0;  // as in KeptLoads
  std::uint64_t block = 0;
  std::uint32_t start = 0;

  /// @param loads  filled in: the block's own
  void restore(KeptLoads& loads) const;
};

/// Recognizes that a block makes the same loads as another one, at other places: nothing else has
/// to be kept of it then.
class LoadFollower {
 public:
  /// A block begins. @param start  BlockOrder::floor
  void begin(std::uint32_t start);
  /// @returns whether the load is the next one of the list; else this ends
  [[nodiscard]] bool follows(Epoch epoch, std::uint64_t first, const LoadPlaces& places,
                             std::uint32_t floor, std::uint32_t region, std::uint32_t order) {
    if (next_ >= end_) return false;
    const KeptLoad& like = loads_[next_];
    if (epoch.bits != like.epoch.bits + later_bits_ || &places != like.places ||
        floor != like.floor + later_ || region != like.region ||
        order != ((like.order + orders_) & kMostOrders)) {
      return false;
    }
    const std::uint64_t distance = first - like.first - like.step * turn_;
    if (((known_ >> region) & 1) == 0) {
      known_ |= region_bit(region);
      distances_[region] = distance;
    } else if (distances_[region] != distance) {
      return false;
    }
    if (++next_ == loop_end_) next_turn();
    return true;
  }
  /// Whether the block has made all loads of the list until now, and no others.
  [[nodiscard]] bool is_at_end() const { return list_ != nullptr && next_ == list_->loads.size(); }
  [[nodiscard]] bool is_on() const { return end_ != 0; }
  /// Ends this. @returns the loads that the block has made
  [[nodiscard]] KeptLoads leave();
  /// What the block has made, of which the list may have more. @param instead  for its memory
  [[nodiscard]] LoadsOfBlock of_block(LoadDistances instead) const;
  /// The list that the next block may follow.
  void set(std::shared_ptr<const KeptLoads> list) { list_ = std::move(list); }

 private:
  void next_turn();
  void find_loop();

  std::shared_ptr<const KeptLoads> list_;
  const KeptLoad* loads_ = nullptr;  // of the list
  std::uint32_t start_ = 0;
  std::uint32_t next_ = 0, end_ = 0;  // of the list; end_ is 0 where the block does not follow it
  // In a loop of the list, or before the next one.
  std::uint32_t loop_ = 0;
  std::uint32_t loop_end_ = 0;  // kNoLoop: there are no more
  std::uint32_t turn_ = 0;
  std::uint32_t orders_ = 0;  // by how much orders are higher than in the first turn
  std::uint32_t later_ = 0;  // ticks from the list's load to the block's
  std::uint64_t later_bits_ = 0;  // these in an Epoch
  RegionSet known_ = 0;  // allocations of which the distance is known
  std::array<std::uint64_t, kKeptRegions> distances_ = {};
  static constexpr std::uint32_t kNoLoop = ~std::uint32_t{0};
};

/// Collects the loads of a block and finds the loops among them.
class LoadKeeper {
 public:
  /// A load that is the next one of the list which the block follows need not be added.
  [[nodiscard]] bool follows(Epoch epoch, std::uint64_t first, const LoadPlaces& places,
                             std::uint32_t floor, std::uint32_t region, std::uint32_t order) {
    return follower_.follows(epoch, first, places, floor, region, order);
  }
  /// Adds another load. @returns false when there are too many
  [[nodiscard]] bool add_own(const KeptLoad& load);
  /// Any load.
  [[nodiscard]] bool add(const KeptLoad& load) {
    return follows(load.epoch, load.first, *load.places, load.floor, load.region, load.order) ||
           add_own(load);
  }
  /// Those until now.
  [[nodiscard]] KeptLoads& loads() {
    stop_following();
    leave_loop();
    return kept_;
  }
  /// Those of a block that has ended. They must not be asked for any more.
  /// @param instead  for its memory
  [[nodiscard]] LoadsOfBlock take(RegionSet regions, std::uint64_t block,
                                  LoadDistances instead = {});
  /// A block begins. @param start  BlockOrder::floor
  void start(std::uint32_t start);

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 15;
  static constexpr std::uint32_t kLongestTurn = 512;

  void stop_following();
  [[nodiscard]] bool goes_on(const KeptLoad& load) const;
  void look_back();
  void leave_loop();

  LoadFollower follower_;
  KeptLoads kept_;  // where the block does not follow another one
  // The last loop goes on.
  bool in_loop_ = false;
  std::uint32_t place_ = 0;  // in its turn
  // No loop: where the loads begin that are in none, and how many of the last ones repeat those
  // that are `length` before them.
  std::uint32_t free_from_ = 0;
  KeptLoop repeated_;
  std::uint32_t alike_ = 0;
  /// By instruction and warp, where in the list its last load may be.
  std::array<std::uint32_t, 1024> last_ = {};
};

}  // namespace warpsim
