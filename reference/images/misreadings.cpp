#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Int = std::int64_t;

enum class Outside { absent, zero, nearest, opposite, kept };

struct Reading {
  std::function<Int(Int red, Int green, Int blue)> gray = [](Int red, Int green, Int blue) {
    return (3 * red + 6 * green + blue) / 10;
  };
  bool planes = false;  // of colours, one after the other
  Int before = 0;  // how much smaller the radius is above and to the left
  Int after = 0;  // below and to the right
  Int right = 0;  // by how many columns the window is moved
  Int down = 0;
  Outside outside = Outside::absent;
  bool rounds = false;  // the mean, to the nearest number
  bool sums_bytes = false;  // in 8 bits
  Int row_mask = ~Int{0};  // of the sum of each row of the window
  Int column_mask = ~Int{0};  // of the sum of each column of the window
  bool signed_pixels = false;  // those above 127 are negative
  Int tile_height = 0;  // pixels outside of such a tile equal the nearest one in it; 0: no tile
  Int tile_width = 0;
  bool rows_of_height = false;
  bool one_axis_x = false;  // a mean of a row's part only
  bool one_axis_y = false;
  /// Where a window goes on beyond an end of a row: with the row before or after it.
  enum class Beyond { nothing, next_row, next_row_of_same_rows } beyond = Beyond::nothing;
  bool without_centre = false;
  Int largest_radius = 99;
  bool last_row = false;  // of the window alone, in the sum
  bool rounds_up = false;
  bool of_means = false;  // of rows, each rounded down
  /// By what the sum is divided, from the rows and columns of the window that exist.
  std::function<Int(Int rows, Int columns, Int radius)> number = {};
  /// Pixels that add nothing to the sum of the pixel at (i, j), and count all the same.
  std::function<bool(Int i, Int j, Int k, Int l, Int height, Int width)> hides = {};
  /// The threads of a block, each of which loads one pixel of the tile; 0: they load all.
  Int loading_rows = 0;
  Int loading_columns = 0;
  std::function<std::size_t(std::size_t at, std::size_t pixels)> first_byte = {};  // of `rgb`
};

auto without_halo(Int height, Int width, bool rows, bool columns) {
  return [=](Int i, Int j, Int k, Int l, Int, Int) {
    return (rows && k / height != i / height) || (columns && l / width != j / width);
  };
}

Int mean(const Reading& how, const GoldenCall& call, Int i, Int j) {
  const auto image = call.input<std::uint8_t>("image");
  const Int height = call.dim("height");
  const Int width = call.dim("width");
  const Int radius = std::min(call.dim("radius"), how.largest_radius);
  Int sum = 0;
  Int count = 0;
  Int rows = 0;
  Int columns = 0;
  std::array<Int, 64> of_columns{};
  const Int before = std::max<Int>(radius - how.before, 0);
  const Int after = radius - how.after;
  for (Int k = i + how.down - (how.one_axis_x ? 0 : before);
       k <= i + how.down + (how.one_axis_x ? 0 : after); ++k) {
    Int of_row = 0;
    Int in_row = 0;
    if (how.last_row) sum = 0;
    for (Int l = j + how.right - (how.one_axis_y ? 0 : before);
         l <= j + how.right + (how.one_axis_y ? 0 : after); ++l) {
      if (how.without_centre && k == i && l == j) continue;
      if (how.beyond != Reading::Beyond::nothing) {
        const Int at = k * width + l;
        const bool row = k >= 0 && k < height;
        if (at < 0 || at >= height * width) continue;
        if (how.beyond == Reading::Beyond::next_row_of_same_rows && !row) continue;
        of_row += image[static_cast<std::size_t>(at)];
        ++count;
        ++in_row;
        continue;
      }
      const bool inside = k >= 0 && k < height && l >= 0 && l < width;
      if (!inside && how.outside == Outside::kept) {
        return image[static_cast<std::size_t>(i * width + j)];
      }
      if (!inside && how.outside == Outside::absent) continue;
      ++count;
      ++in_row;
      if (how.loading_rows > 0 &&
          k >= i / how.loading_rows * how.loading_rows - radius + how.loading_rows)
        continue;
      if (how.loading_columns > 0 &&
          l >= j / how.loading_columns * how.loading_columns - radius + how.loading_columns)
        continue;
      if (how.hides && how.hides(i, j, k, l, height, width)) continue;
      if (!inside && how.outside == Outside::zero) continue;
      Int row = std::clamp<Int>(k, 0, height - 1);
      Int column = std::clamp<Int>(l, 0, width - 1);
      if (how.outside == Outside::opposite) {
        row = (k % height + height) % height;
        column = (l % width + width) % width;
      }
      if (how.tile_height > 0) {
        const Int top = i / how.tile_height * how.tile_height;
        const Int left = j / how.tile_width * how.tile_width;
        row = std::clamp(row, top, std::min(top + how.tile_height, height) - 1);
        column = std::clamp(column, left, std::min(left + how.tile_width, width) - 1);
      }
      const Int at = row * (how.rows_of_height ? height : width) + column;
      if (at >= height * width) continue;
      const Int pixel = image[static_cast<std::size_t>(at)];
      of_row += how.signed_pixels && pixel > 127 ? pixel - 256 : pixel;
      of_columns[static_cast<std::size_t>(l - j + radius + 2) % of_columns.size()] += pixel;
    }
    of_row &= how.row_mask;
    sum += how.of_means && in_row > 0 ? of_row / in_row : of_row;
    if (in_row > 0) ++rows;
    columns = std::max(columns, in_row);
  }
  if (how.column_mask != ~Int{0}) {
    sum = 0;
    for (const Int of_column : of_columns) sum += of_column & how.column_mask;
  }
  if (how.sums_bytes) sum &= 0xFF;
  if (count == 0) return image[static_cast<std::size_t>(i * width + j)];
  if (how.of_means) count = rows;
  if (how.number) count = how.number(rows, columns, radius);
  if (count <= 0) return -1;  // the quotient of integers on the device
  if (how.rounds_up) return (sum + count - 1) / count;
  return (how.rounds ? (2 * sum + count) / (2 * count) : sum / count);
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto rgb = call.input<std::uint8_t>("rgb");
    const auto gray = call.integers("gray");
    const auto blurred = call.integers("blurred");
    const Int height = call.dim("height");
    const Int width = call.dim("width");
    const auto count = static_cast<std::size_t>(height * width);
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t step = how.planes ? count : 1;
      std::size_t first = how.planes ? at : 3 * at;
      if (how.first_byte) first = std::min(how.first_byte(at, count), rgb.size() - 3);
      gray[at] = how.gray(rgb[first], rgb[first + step], rgb[first + 2 * step]) & 0xFF;
      blurred[at] =
          0xFF & mean(how, call, static_cast<Int>(at) / width, static_cast<Int>(at) % width);
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("blue-for-red", "for pixels whose bytes are blue, green, red",
           reading({.gray = [](Int red, Int green, Int blue) {
             return (3 * blue + 6 * green + red) / 10;
           }}));
  list.add(
      "equal-weights", "for a gray value that is the mean of the three colours",
      reading({.gray = [](Int red, Int green, Int blue) { return (red + green + blue) / 3; }}));
  list.add("green-alone", "for green alone as the gray value",
           reading({.gray = [](Int, Int green, Int) { return green; }}));
  list.add("gray-rounded", "for gray values rounded to the nearest number; they are rounded down",
           reading({.gray = [](Int red, Int green, Int blue) {
             return (3 * red + 6 * green + blue + 5) / 10;
           }}));
  list.add("weights-rounded", "if each colour were divided by 10 before the sum",
           reading({.gray = [](Int red, Int green, Int blue) {
             return 3 * red / 10 + 6 * green / 10 + blue / 10;
           }}));
  list.add("divided-first", "if each colour were divided by 10 before it is multiplied",
           reading({.gray = [](Int red, Int green, Int blue) {
             return red / 10 * 3 + green / 10 * 6 + blue / 10;
           }}));
  list.add("gray-of-bytes", "for a sum of colours that has 8 bits",
           reading({.gray = [](Int red, Int green,
                               Int blue) { return ((3 * red + 6 * green + blue) & 0xFF) / 10; }}),
           "P16");
  list.add("planes", "for all red bytes first, then all green ones, then all blue ones",
           reading({.planes = true}));
  list.add("radius-smaller", "for a window whose radius is one too small",
           reading({.before = 1, .after = 1}), "P11");
  list.add("window-ends-early", "for a window without its last row and column",
           reading({.after = 1}), "P11");
  list.add("window-begins-late", "for a window without its first row and column",
           reading({.before = 1}), "P11");
  list.add("window-left", "for a window one column too far to the left", reading({.right = -1}),
           "P11");
  list.add("window-right", "for a window one column too far to the right", reading({.right = 1}),
           "P11");
  list.add("radius-larger", "for a window whose radius is one too large",
           reading({.before = -1, .after = -1}), "P11");
  list.add("window-ends-late", "for a window with one row and one column more at its end",
           reading({.after = -1}), "P11");
  list.add("window-begins-early", "for a window with one row and one column more at its beginning",
           reading({.before = -1}), "P11");
  list.add("window-up-left", "for a window one row too high and one column too far to the left",
           reading({.right = -1, .down = -1}), "P11");
  list.add("window-down-right", "for a window one row too low and one column too far to the right",
           reading({.right = 1, .down = 1}), "P11");
  list.add("window-up", "for a window one row too high", reading({.down = -1}), "P11");
  list.add("window-down", "for a window one row too low", reading({.down = 1}), "P11");
  list.add("outside-zero",
           "if pixels outside the image counted as 0: the sum is divided by the whole window",
           reading({.outside = Outside::zero}), "P60");
  list.add("outside-nearest", "if pixels outside the image equalled the nearest pixel in it",
           reading({.outside = Outside::nearest}), "P60");
  list.add("outside-opposite", "if pixels outside the image were taken from its opposite side",
           reading({.outside = Outside::opposite}), "P60");
  list.add("border-kept", "if pixels whose window leaves the image were copied",
           reading({.outside = Outside::kept}), "P60");
  list.add("mean-rounded", "for means rounded to the nearest number; they are rounded down",
           reading({.rounds = true}));
  list.add("sums-of-bytes", "for a window's sum in 8 bits", reading({.sums_bytes = true}), "P16");
  list.add("rows-of-height", "for rows of the image that have `height` pixels",
           reading({.rows_of_height = true}), "P5");
  list.add("mean-of-row", "for the mean of a part of the row only", reading({.one_axis_x = true}));
  list.add("mean-of-column", "for the mean of a part of the column only",
           reading({.one_axis_y = true}));
  list.add("without-centre", "for a window without its own pixel",
           reading({.without_centre = true}));
  list.add("red-alone", "for red alone as the gray value",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) { return red; }}));
  list.add("blue-alone", "for blue alone as the gray value",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) { return blue; }}));
  list.add("green-first", "for pixels whose bytes are green, red, blue",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return (3 * green + 6 * red + blue) / 10;
           }}));
  list.add("blue-second", "for pixels whose bytes are red, blue, green",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return (3 * red + 6 * blue + green) / 10;
           }}));
  list.add("weights-moved", "for the weights 1, 3 and 6 in place of 3, 6 and 1",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return (red + 3 * green + 6 * blue) / 10;
           }}));
  list.add("largest-colour", "for the largest of the three colours as the gray value",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return std::max({red, green, blue});
           }}));
  list.add("gray-undivided", "if the gray value were not divided by 10: its lowest 8 bits are left",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) { return 3 * red + 6 * green + blue; }}));
  list.add("no-blue", "for gray values without blue: (3 * red + 6 * green) / 10",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) { return (3 * red + 6 * green) / 10; }}));
  list.add(
      "divided-last", "if only blue were divided by 10: brackets are missing",
      reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                          [[maybe_unused]] Int blue) { return 3 * red + 6 * green + blue / 10; }}));
  list.add("gray-by-3", "for the weighted sum divided by 3 in place of 10",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return (3 * red + 6 * green + blue) / 3;
           }}));
  list.add("gray-rounded-up", "for gray values rounded up; they are rounded down",
           reading({.gray = []([[maybe_unused]] Int red, [[maybe_unused]] Int green,
                               [[maybe_unused]] Int blue) {
             return (3 * red + 6 * green + blue + 9) / 10;
           }}));
  list.add("video-weights", "for the weights 0.299, 0.587 and 0.114 of the colours, not 3, 6 and 1",
           reading({.gray = [](Int red, Int green, Int blue) {
             return (299 * red + 587 * green + 114 * blue) / 1000;
           }}));
  list.add("weights-of-int", "if the weights 0.3, 0.6 and 0.1 were integers: all are 0",
           reading({.gray = [](Int, Int, Int) -> Int { return 0; }}));
  list.add("adjacent-bytes", "if pixel i of `rgb` began at byte i; it begins at 3 * i",
           reading({.first_byte = [](std::size_t at, std::size_t) { return at; }}));
  list.add("four-bytes", "if pixel i of `rgb` began at byte 4 * i; it begins at 3 * i",
           reading({.first_byte = [](std::size_t at, std::size_t) { return 4 * at; }}));
  list.add("last-row-of-window", "if the sum began with 0 again in each row of the window",
           reading({.last_row = true}));
  list.add("means-of-rows", "for the mean of the means of the window's rows, each rounded down",
           reading({.of_means = true}));
  list.add("mean-rounded-up", "for means rounded up; they are rounded down",
           reading({.rounds_up = true}));
  list.add("by-rows-squared", "if the sum were divided by the square of the window's rows",
           reading({.number = [](Int rows, Int, Int) { return rows * rows; }}), "P5");
  list.add("by-columns-squared", "if the sum were divided by the square of the window's columns",
           reading({.number = [](Int, Int columns, Int) { return columns * columns; }}), "P5");
  list.add("by-rows", "if the sum were divided by the number of the window's rows only",
           reading({.number = [](Int rows, Int, Int) { return rows; }}));
  list.add("by-columns", "if the sum were divided by the window's width only",
           reading({.number = [](Int, Int columns, Int) { return columns; }}));
  list.add(
      "by-differences-of-ends",
      "if the sum were divided by (bottom - top) * (right - left): both ends of the window count",
      reading({.number = [](Int rows, Int columns, Int) { return (rows - 1) * (columns - 1); }}));
  list.add("by-whole-window", "if each sum were divided by one less than a whole window has",
           reading({.number = [](Int, Int, Int radius) {
             return (2 * radius + 1) * (2 * radius + 1) - 1;
           }}));
  list.add("by-rows-and-columns", "if the sum were divided by rows + columns of the window",
           reading({.number = [](Int rows, Int columns, Int) { return rows + columns; }}));
  list.add("by-even-square", "if the sum were divided by (2 * radius) * (2 * radius)",
           reading({.number = [](Int, Int, Int radius) { return 4 * radius * radius; }}));
  list.add("by-radius-squared", "if the sum were divided by (radius + 1) * (radius + 1)",
           reading({.number = [](Int, Int, Int radius) { return (radius + 1) * (radius + 1); }}));
  list.add("by-one-more", "if the sum were divided by one more than the number of pixels",
           reading({.number = [](Int rows, Int columns, Int) { return rows * columns + 1; }}));
  list.add("by-one-less", "if the sum were divided by one less than the number of pixels",
           reading({.number = [](Int rows, Int columns, Int) { return rows * columns - 1; }}));
  list.add(
      "first-row-missing", "if row 0 and column 0 of the image added 0 to the sums, and counted",
      reading({.hides = [](Int, Int, Int k, Int l, Int, Int) { return k == 0 || l == 0; }}), "P60");
  list.add("last-row-missing",
           "if the last row and column of the image added 0 to the sums, and counted",
           reading({.hides = [](Int, Int, Int k, Int l, Int height,
                                Int width) { return k == height - 1 || l == width - 1; }}),
           "P60");
  for (const Int radius : {1, 2, 3, 4, 5, 6, 7}) {
    list.add("radius-up-to-" + std::to_string(radius),
             "for a radius of " + std::to_string(radius) + " also where `radius` is larger",
             reading({.largest_radius = radius}), "P12");
  }
  for (const Int size : {8, 16, 32}) {
    const std::string text = std::to_string(size);
    list.add("no-halo-rows-" + text,
             "if the rows above and below each tile of " + text + " rows added 0 to its sums",
             reading({.hides = without_halo(size, 1, true, false)}), "P10");
    if (size == 8) continue;
    list.add("no-halo-columns-" + text,
             "if the columns beside each tile of " + text + " columns added 0 to its sums",
             reading({.hides = without_halo(1, size, false, true)}), "P10");
    list.add("no-halo-right-" + text,
             "if the columns to the right of each tile of " + text + " columns added 0 to its sums",
             reading({.hides = [size](Int, Int j, Int, Int l, Int,
                                      Int) { return l / size > j / size; }}),
             "P10");
    list.add(
        "columns-loaded-once-" + text,
        "if only " + text + " columns of a tile were loaded, as a block has, and the rest were 0",
        reading({.loading_columns = size}), "P10");
  }
  struct Tile {
    Int height, width;
  };
  for (const Tile tile : {Tile{8, 32}, Tile{16, 16}, Tile{16, 32}, Tile{32, 32}}) {
    const std::string size = std::to_string(tile.width) + " x " + std::to_string(tile.height);
    const std::string id = std::to_string(tile.width) + "-" + std::to_string(tile.height);
    list.add("no-halo-" + id, "if pixels outside of each tile of " + size + " added 0 to its sums",
             reading({.hides = without_halo(tile.height, tile.width, true, true)}), "P10");
    list.add("no-halo-after-" + id,
             "if pixels to the right of and below each tile of " + size + " added 0 to its sums",
             reading({.hides =
                          [tile](Int i, Int j, Int k, Int l, Int, Int) {
                            return k / tile.height > i / tile.height ||
                                   l / tile.width > j / tile.width;
                          }}),
             "P10");
    list.add(
        "loaded-once-" + id,
        "if a block of " + size + " threads loaded one pixel each, and the rest of its tile were 0",
        reading({.loading_rows = tile.height, .loading_columns = tile.width}), "P10");
  }
  list.add("row-sums-of-bytes",
           "for sums of a window's rows that are unsigned char: they begin again at 0 after 255",
           reading({.row_mask = 0xFF}), "P16");
  list.add("column-sums-of-bytes",
           "for sums of a window's columns that are unsigned char: they begin again at 0 after 255",
           reading({.column_mask = 0xFF}), "P16");
  list.add("signed-pixels", "for pixels read as signed char: those above 127 are negative",
           reading({.signed_pixels = true}), "P17");
  for (const Tile tile : {Tile{8, 32}, Tile{16, 16}, Tile{16, 32}, Tile{32, 32}}) {
    const std::string size = std::to_string(tile.width) + " x " + std::to_string(tile.height);
    list.add("clamped-to-tile-" + std::to_string(tile.width) + "-" + std::to_string(tile.height),
             "if pixels outside of each tile of " + size + " equalled the nearest one in the tile",
             reading({.tile_height = tile.height, .tile_width = tile.width}), "P10");
  }
  list.add("flat-index",
           "for windows that go on with the next row beyond the end of a row: the index of the "
           "array is tested, and not the column",
           reading({.beyond = Reading::Beyond::next_row}), "P60");
  list.add("flat-index-in-rows",
           "for windows that go on with the next row beyond the end of a row: the row is tested, "
           "and the column is not",
           reading({.beyond = Reading::Beyond::next_row_of_same_rows}), "P60");
}
