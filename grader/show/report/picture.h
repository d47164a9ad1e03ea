#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/tolerance/wrong_map.h"

namespace warpgrade {

/// A map of wrong elements as a scalable SVG: wrong cells in the colours of the classes `w1` to
/// `w5`, lines at the borders of blocks if these are known.
///
/// @param block  threads of a block in x, y and z, or empty: a line every block[0] columns and
///               block[1] rows of a matrix, every block of elements in a folded array
/// @param label  text alternative
[[nodiscard]] std::string wrong_map_svg(const WrongMap& map,
                                        const std::vector<std::uint64_t>& block,
                                        const std::string& label);

/// "64 columns of 32 elements per cell; lines every 256 elements, the size of your block".
[[nodiscard]] std::string wrong_map_caption(const WrongMap& map,
                                            const std::vector<std::uint64_t>& block);

}  // namespace warpgrade
