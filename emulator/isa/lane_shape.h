#pragma once

#include <cstdint>

namespace warpsim {

/// Where the lanes of an access are, seen from the first active one, and what follows from that. An
/// instruction keeps the shape of its last access: most repeat it from another start, and then one
/// comparison of 32 lanes answers for bounds, alignment, costs and the way to move the data.
struct LaneShape {
  /// How the active lanes of half a warp lie.
  enum class Half : std::uint8_t {
    none,  // no lane is active
    same,  // all in one place
    row,  // each one access width after the lane before it
    scattered,
  };

  alignas(64) std::uint32_t relative[32] = {};  // to the first active lane's address
  std::uint32_t mask = 0;  // active lanes; 0: nothing is remembered
  std::uint32_t version = 0;  // counts the shapes that this place has held
  std::int32_t low = 0, high = 0;  // of `relative` over the active lanes
  std::uint32_t bits = 0;  // that are set in any of these
  std::uint32_t bytes = 0;  // that the active lanes access in all
  std::int32_t origin[2] = {};  // where a half's first lane is, or would be if it were active
  Half half[2] = {Half::none, Half::none};
  bool one_row = false;  // the active lanes are all in one row: lane i in its place i

  /// Where the lanes of an access are whose first active one is at `from`. @param to  32 places;
  /// what stands there for inactive lanes means nothing
  void spread(std::uint32_t from, std::uint32_t* to) const {
    for (std::uint32_t i = 0; i < 32; ++i) to[i] = from + relative[i];
  }

  /// All lanes are active, and each accesses what follows the lane before it.
  [[nodiscard]] bool is_row(std::uint32_t width) const {
    return mask == ~std::uint32_t{0} && half[0] == Half::row && half[1] == Half::row &&
           origin[1] - origin[0] == static_cast<std::int32_t>(16 * width);
  }
};

}  // namespace warpsim
