#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/isa/lane_shape.h"

// Loads from arrays that no thread of the launch writes. No two loads conflict, so they are kept as
// they came, one entry for a warp's load, and get lines (lines.h) only once there is another access
// to the array. Those of a loop are kept as one turn and the steps to the next one.

namespace warpsim {

/// Allocations are numbered as in LaunchState::extents. Of those with numbers from here on nothing
/// is kept.
inline constexpr std::uint32_t kKeptRegions = 64;
using RegionSet = std::uint64_t;  // bit i: allocation i
[[nodiscard]] constexpr RegionSet region_bit(std::uint32_t region) {
  return RegionSet{1} << region;
}

/// How the lanes of loads lie. Loads share it.
struct LoadPlaces {
  std::array<std::uint32_t, 32> relative = {};  // LaneShape::relative
  std::uint32_t mask = 0;
  std::uint32_t width = 0;

  LoadPlaces(const LaneShape& shape, std::uint32_t bytes) : mask(shape.mask), width(bytes) {
    for (std::size_t i = 0; i < relative.size(); ++i) relative[i] = shape.relative[i];
  }
  [[nodiscard]] bool is(const LaneShape& shape, std::uint32_t bytes) const;
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

/// Collects the loads of a block and finds the loops among them.
class LoadKeeper {
 public:
  /// @returns false when there are too many
  [[nodiscard]] bool add(const KeptLoad& load);
  /// Those until now.
  [[nodiscard]] KeptLoads& loads() {
    leave_loop();
    return kept_;
  }
  void clear();

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 15;
  static constexpr std::uint32_t kLongestTurn = 512;

  [[nodiscard]] bool goes_on(const KeptLoad& load) const;
  void look_back();
  void leave_loop();

  KeptLoads kept_;
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
