#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// What `diff -u` prints: the lines in which two texts differ, each with three equal ones around
/// it; empty if they are equal. Takes time and memory in proportion to the product of the numbers
/// of lines.
/// @param old_name, new_name  of the first two lines
[[nodiscard]] std::string unified_diff(std::string_view old_text, std::string_view new_text,
                                       std::string_view old_name, std::string_view new_name);

}  // namespace warpgrade
