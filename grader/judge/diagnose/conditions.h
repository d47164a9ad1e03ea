#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// std::regex recurses once per character. No real statement is this long, so a longer line is
/// data, or an attack on our stack.
inline constexpr std::size_t kLongestLine = 500;

/// The conditions in a function's text that decide whether a line is reached.
struct Conditions {
  /// Of the `if`s and conditional expressions for the line alone: "if (col < n) c[i] = 0;".
  std::vector<std::string> own;
  /// Of the `if`s with braces around it: "if (col < n)".
  std::vector<std::string> around;
  /// Of the `if`s above it that return: "if (row >= m) return;".
  std::vector<std::string> returns;
  /// The function's lines from its head to the line itself.
  std::vector<std::string> lines;
};

/// Reads braces and keywords only, not the language: for advice, never for points.
///
/// @param code  lines of a source file without comments
/// @param line  from 1; an empty result if there is no such line
[[nodiscard]] Conditions conditions_of(const std::vector<std::string>& code, std::uint32_t line);

/// An index such as "row * height + col" where `row` is compared with `height` and `col` with
/// another extent: the length of a column stands in place of that of a row, or the conditions have
/// the extents exchanged.
struct OtherExtent {
  std::string index;
  std::string extent;  // "height"
};
[[nodiscard]] std::optional<OtherExtent> index_with_other_extent(const Conditions& conditions);

/// Whether the function subtracts in a line up to this one ("tile[threadIdx.x - 1]").
[[nodiscard]] bool has_difference(const Conditions& conditions);

}  // namespace warpgrade
