#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A line of two texts beside each other; a line number of 0 says that there is none on that side.
struct SideBySideRow {
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  std::string old_text;
  std::string new_text;
  bool changed = false;
  bool after_gap = false;  // lines that are equal were left out before it
};

/// Where two texts differ, with equal lines around; empty if they are equal. Costs as much as
/// unified_diff().
[[nodiscard]] std::vector<SideBySideRow> side_by_side(std::string_view old_text,
                                                      std::string_view new_text);

}  // namespace warpgrade
