#include "harness/tolerance/wrong_map.h"

#include <algorithm>
#include <bit>

namespace warpgrade {
namespace {

constexpr std::uint64_t kLevels = 9;
constexpr std::uint64_t kMostChannels = 4;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

/// The number of elements per cell along an extent; a power of two, so that borders of tiles, warps
/// and blocks are borders of cells.
std::uint64_t cell_extent(std::uint64_t extent) {
  return std::bit_ceil(std::max<std::uint64_t>(1, ceil_div(extent, kWrongMapCells)));
}

void lay_out(std::uint64_t count, std::span<const std::uint64_t> shape, WrongMap& map) {
  if (shape.size() == 2 && shape[0] > 1 && shape[1] > 1) {
    map.rows = shape[0];
    map.columns = shape[1];
    map.cell_rows = cell_extent(map.rows);
    map.cell_columns = cell_extent(map.columns);
    return;
  }
  if (shape.size() > 2 && count > 0 && shape.back() > 0) {
    // Slices one below the other; the channels of a pixel side by side.
    const bool has_channels = shape.back() <= kMostChannels;
    map.columns = shape.back() * (has_channels ? shape[shape.size() - 2] : 1);
    map.rows = count / map.columns;
    map.cell_rows = cell_extent(map.rows);
    map.cell_columns = cell_extent(map.columns);
    return;
  }
  // One row of elements per row of cells: a cell is a run of adjacent elements.
  map.folded = true;
  map.cell_columns = cell_extent(ceil_div(count, kWrongMapCells));
  map.columns = std::min(std::max<std::uint64_t>(1, count), kWrongMapCells * map.cell_columns);
  map.rows = ceil_div(count, map.columns);
}

}  // namespace

WrongMap map_wrong(const std::string& parameter, const std::vector<bool>& right,
                   std::span<const std::uint64_t> shape) {
  WrongMap map;
  map.parameter = parameter;
  lay_out(right.size(), shape, map);
  const std::uint64_t high = ceil_div(map.rows, map.cell_rows);
  const std::uint64_t wide = ceil_div(map.columns, map.cell_columns);
  std::vector<std::uint64_t> wrong(high * wide);
  std::vector<std::uint64_t> all(high * wide);
  std::uint64_t i = 0;
  for (std::uint64_t row = 0; i < right.size(); ++row) {
    for (std::uint64_t cell = row / map.cell_rows * wide, end = i + map.columns;
         i < std::min<std::uint64_t>(end, right.size()); ++cell) {
      const std::uint64_t stop = std::min({i + map.cell_columns, end, right.size()});
      all[cell] += stop - i;
      for (; i < stop; ++i) wrong[cell] += right[i] ? 0 : 1;
    }
  }
  for (std::uint64_t row = 0; row < high; ++row) {
    std::string text;
    for (std::uint64_t cell = row * wide; cell < (row + 1) * wide; ++cell) {
      text += all[cell] == 0 ? '.'
                             : static_cast<char>('0' + ceil_div(kLevels * wrong[cell], all[cell]));
    }
    map.cells.push_back(std::move(text));
  }
  return map;
}

}  // namespace warpgrade
