#include "grader/show/report/picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kShades = 5;
constexpr std::uint64_t kWarp = 32;
/// Lines closer than this many cells would hide the cells.
constexpr std::uint64_t kClosest = 2;

/// Cells between two lines, in x and y; 0 for none.
struct Grid {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t elements_x = 0;
  std::uint64_t elements_y = 0;
};

std::uint64_t cells_between(std::uint64_t elements, std::uint64_t cell, std::uint64_t cells) {
  const bool divides = elements > 0 && elements % cell == 0;
  const std::uint64_t step = divides ? elements / cell : 0;
  return step >= kClosest && step < cells ? step : 0;
}

Grid grid_of(const WrongMap& map, const std::vector<std::uint64_t>& block) {
  if (block.size() < 2 || map.cells.empty()) {
    return {};
  }
  // In a wrapped one-dimensional array, a row is many blocks, or a block is many rows.
  const std::uint64_t threads = block[0] * block[1];
  Grid grid;
  if (!map.folded) {
    grid = {.x = 0, .y = 0, .elements_x = block[0], .elements_y = block[1]};
  } else if (threads > map.columns && threads % map.columns == 0) {
    grid = {.x = 0, .y = 0, .elements_x = 0, .elements_y = threads / map.columns};
  } else {
    grid = {.x = 0, .y = 0, .elements_x = threads, .elements_y = 0};
  }
  grid.x = cells_between(grid.elements_x, map.cell_columns, map.cells[0].size());
  grid.y = cells_between(grid.elements_y, map.cell_rows, map.cells.size());
  return grid;
}

std::size_t shade(char level) {
  const auto ninths = static_cast<std::size_t>(level - '0');
  return (ninths + 1) / 2 - 1;  // 1-2, 3-4, 5-6, 7-8, 9
}

std::string grid_path(std::uint64_t x_step, std::uint64_t y_step, std::uint64_t wide,
                      std::uint64_t high) {
  std::string path;
  for (std::uint64_t x = x_step; x_step > 0 && x < wide; x += x_step) {
    path += fmt::format("M{} 0v{}", x, high);
  }
  for (std::uint64_t y = y_step; y_step > 0 && y < high; y += y_step) {
    path += fmt::format("M0 {}h{}", y, wide);
  }
  return path;
}

}  // namespace

std::string wrong_map_svg(const WrongMap& map, const std::vector<std::uint64_t>& block,
                          const std::string& label) {
  std::size_t wide = 0;
  std::array<std::string, kShades> wrong;
  std::string right;
  for (std::size_t row = 0; row < map.cells.size(); ++row) {
    const std::string& cells = map.cells[row];
    wide = std::max(wide, cells.size());
    right += fmt::format("M0 {}h{}v1H0z", row, std::min(cells.find('.'), cells.size()));
    for (std::size_t x = 0; x < cells.size();) {  // runs of equal shade
      const char level = cells[x];
      std::size_t end = x + 1;
      const auto same = [&](char other) {
        return level == '.' || level == '0' || other == '.' || other == '0'
                   ? other == level
                   : shade(other) == shade(level);
      };
      while (end < cells.size() && same(cells[end])) {
        ++end;
      }
      if (level != '.' && level != '0') {
        wrong.at(shade(level)) += fmt::format("M{} {}h{}v1H{}z", x, row, end - x, x);
      }
      x = end;
    }
  }
  const std::size_t high = map.cells.size();
  std::string svg = fmt::format(
      "<svg class=\"map\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" "
      "preserveAspectRatio=\"none\" "
      "style=\"aspect-ratio: {} / {}; --wide: {}; --high: {}\"><path class=\"w0\" d=\"{}\"/>",
      escaped_html(label), wide, high, wide, high, wide, high, right);
  for (std::size_t i = 0; i < kShades; ++i) {
    if (!wrong.at(i).empty()) {
      svg += fmt::format("<path class=\"w{}\" d=\"{}\"/>", i + 1, wrong.at(i));
    }
  }
  // Lines between warps, if a cell is one or few elements.
  if (map.folded && map.columns > kWarp && map.cell_columns * kClosest <= kWarp) {
    svg += fmt::format("<path class=\"warps\" d=\"{}\"/>",
                       grid_path(kWarp / map.cell_columns, 0, wide, high));
  }
  const Grid grid = grid_of(map, block);
  if (const std::string lines = grid_path(grid.x, grid.y, wide, high); !lines.empty()) {
    svg += fmt::format("<path class=\"blocks\" d=\"{}\"/>", lines);
  }
  return svg + "</svg>";
}

std::string wrong_map_caption(const WrongMap& map, const std::vector<std::uint64_t>& block) {
  std::string text;
  const std::uint64_t cell = map.cell_rows * map.cell_columns;
  if (map.folded) {
    text = fmt::format("{}{}.",
                       map.rows > 1 ? fmt::format("In order, {} elements per row", map.columns)
                                    : std::string("In order"),
                       cell > 1 ? fmt::format(", {} per cell", cell) : ", one per cell");
  } else {
    text = fmt::format(
        "{} rows, {} columns; {}.", map.rows, map.columns,
        cell > 1 ? fmt::format("{} x {} elements per cell", map.cell_rows, map.cell_columns)
                 : std::string("one element per cell"));
  }
  const Grid grid = grid_of(map, block);
  if (grid.x > 0 || grid.y > 0) {
    text += map.folded ? fmt::format(" Lines every {} elements, the number of threads per block.",
                                     block[0] * block[1])
                       : fmt::format(" Lines every {} columns and {} rows, the block's shape.",
                                     block[0], block[1]);
  }
  if (map.folded && map.columns > kWarp && map.cell_columns * kClosest <= kWarp) {
    text += " Thin lines every 32 elements, a warp.";
  }
  return text;
}

}  // namespace warpgrade
