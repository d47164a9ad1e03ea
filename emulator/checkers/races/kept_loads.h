#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/isa/lane_shape.h"

// Loads from arrays that no thread of the launch writes. No two loads conflict, so they are kept as
// they came, one entry for a warp's load, and get lines (lines.h) only once there is another access
// to the array.

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
  const LoadPlaces* places = nullptr;
  std::uint32_t floor = 0;  // BlockOrder::floor at that time
  std::uint32_t region : 6 = 0;
  std::uint32_t order : 26 = 0;  // BlockLines::Line::order of lines that it is the first to touch
};
inline constexpr std::uint32_t kMostOrders = (1u << 26) - 1;

/// Those of a block, in their order.
struct KeptLoads {
  std::vector<KeptLoad> loads;
  RegionSet regions = 0;  // of the loads
  std::uint64_t block = 0;
};

}  // namespace warpsim
