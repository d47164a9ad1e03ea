#pragma once

#include <cstdint>
#include <string_view>

#include "harness/lab/lab.h"

namespace warpgrade {

/// Whether an array or a sparse matrix of the lab has these two extents as axes, so that an index
/// may have one in place of the other.
[[nodiscard]] bool are_axes_of_one_array(const Lab& lab, std::string_view a, std::string_view b);

/// Whether an extent is the length of a row, the last axis, of arrays with several axes, or is an
/// axis before the last one. `both`: it is either, of different arrays; `none`: it is of no array.
enum class AxisKind : std::uint8_t { none, last, before_last, both };
[[nodiscard]] AxisKind axis_kind(const Lab& lab, std::string_view extent);

}  // namespace warpgrade
