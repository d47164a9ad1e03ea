#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpgrade {

/// A map of an output's wrong elements for a report, with at most 64 x 64 cells.
///
/// A matrix keeps its rows and columns, and so do the slices of an array of more extents, one below
/// the other. Any other output is folded: `columns` elements per row, as many as make the picture's
/// blocks and warps fall on cell borders (a power of two above 64).
struct WrongMap {
  std::string parameter;
  std::uint64_t rows = 0;  // elements, of the matrix or the folded array
  std::uint64_t columns = 0;
  bool folded = false;
  std::uint64_t cell_rows = 1;  // elements per cell
  std::uint64_t cell_columns = 1;
  /// One string per row of cells, one character per cell: '0' all right, '1' to '9' the share of
  /// wrong elements in ninths, rounded up; '.' no element.
  std::vector<std::string> cells;
};

/// Maximum number of cells in a row and in a column.
inline constexpr std::uint64_t kWrongMapCells = 64;

/// @param right  element by element, row-major; as many as `shape` has
/// @param shape  extents; two above 1 make a matrix
[[nodiscard]] WrongMap map_wrong(const std::string& parameter, const std::vector<bool>& right,
                                 std::span<const std::uint64_t> shape);

}  // namespace warpgrade
