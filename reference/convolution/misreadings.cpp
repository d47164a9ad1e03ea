#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

using Int = std::int64_t;

/// What a window's pixels outside the image count as.
enum class Outside {
  zero,
  nearest,  // the nearest pixel of the image
  opposite,  // that of the opposite side
  reflected,
  no_result,  // the whole output is 0
  copied,  // the whole output is the pixel itself
  next_row,  // only rows are tested: after the end of a row comes the next one
  next_column,  // only columns are tested
};

struct Sizes {
  Int height, width, mask_height, mask_width;
};

struct Reading {
  Int down = 0;  // how far the window is from where it should be
  Int right = 0;
  bool from_output = false;  // the window begins at the output
  bool exchanges_radii = false;
  bool radius_of_height = false;  // both radii are mask_height / 2
  bool radius_of_width = false;
  bool flips_rows = false;  // of the mask
  bool flips_columns = false;
  bool transposes = false;
  bool rows_of_height = false;  // a row of the mask has `mask_height` elements
  bool image_rows_of_height = false;
  Int fewer_rows = 0;  // of the mask, at its end
  Int fewer_columns = 0;
  bool without_centre = false;
  bool ignores_mask = false;  // all its elements are 1
  bool averages = false;  // divided by the sum of the mask's elements
  Outside outside = Outside::zero;
  int bits = 0;  // of factors; 0: they are not rounded
  Int first_row = 0;  // of the mask
  Int first_column = 0;
  bool last_row_only = false;
  bool last_product_only = false;
  bool rows_as_columns = false;  // the mask is a square of mask_height
  /// Pixels of the image that count as 0 for the output in a row and column.
  std::function<bool(Int row, Int column, Int y, Int x, const Sizes& s)> hides = {};
  /// The pixel that stands for (y, x) in the window of an output.
  std::function<void(Int row, Int column, Int& y, Int& x, const Sizes& s)> moves = {};
  Int open_end = 0;  // how many columns after a row's end count as in it
  bool breaks = false;  // a row of the window ends at the first pixel outside
  bool advances_inside = false;  // the mask's element is the next one only after a pixel inside
  bool first_element = false;  // of the mask, for all
  bool whole_numbers = false;  // the sum is an int
  bool adds_pixel = false;  // the sum begins with it
  bool by_number = false;  // divided by the number of the mask's elements
  bool by_inside = false;  // divided by the number of pixels in the image
  std::function<double(double sum)> shown = [](double sum) { return sum; };
};

/// Which pixels beyond the outputs of a tile are missing.
enum class Halo { all, rows, columns, corners, right_and_below, left_and_above };

auto without_halo(Int height, Int width, Halo missing) {
  return [=](Int row, Int column, Int y, Int x, const Sizes&) {
    const Int top = row / height * height;
    const Int left = column / width * width;
    const bool above = y < top;
    const bool below = y >= top + height;
    const bool before = x < left;
    const bool after = x >= left + width;
    switch (missing) {
      case Halo::rows:
        return above || below;
      case Halo::columns:
        return before || after;
      case Halo::corners:
        return (above || below) && (before || after);
      case Halo::right_and_below:
        return after || below;
      case Halo::left_and_above:
        return before || above;
      default:
        return above || below || before || after;
    }
  };
}

Int reflected(Int at, Int count) {
  if (at < 0) at = -at - 1;
  if (at >= count) at = 2 * count - 1 - at;
  return std::clamp<Int>(at, 0, count - 1);
}

/// The position of a pixel in the image; -1: it counts as 0, -2: it is read outside the array.
Int place(const Reading& how, const Sizes& s, Int y, Int x) {
  const bool in_rows = y >= 0 && y < s.height;
  const bool in_columns = x >= 0 && x < s.width + how.open_end;
  const Int length = how.image_rows_of_height ? s.height : s.width;
  switch (how.outside) {
    case Outside::nearest:
      y = std::clamp<Int>(y, 0, s.height - 1);
      x = std::clamp<Int>(x, 0, s.width - 1);
      break;
    case Outside::opposite:
      y = (y % s.height + s.height) % s.height;
      x = (x % s.width + s.width) % s.width;
      break;
    case Outside::reflected:
      y = reflected(y, s.height);
      x = reflected(x, s.width);
      break;
    case Outside::next_row:
      if (!in_rows) return -1;
      break;
    case Outside::next_column:
      if (!in_columns) return -1;
      break;
    default:
      if (!in_rows || !in_columns) return -1;
  }
  const Int at = y * length + x;
  return at >= 0 && at < s.height * s.width ? at : -2;
}

Int mask_place(const Reading& how, const Sizes& s, Int i, Int j) {
  if (how.flips_rows) i = s.mask_height - 1 - i;
  if (how.flips_columns) j = s.mask_width - 1 - j;
  if (how.transposes) return j * s.mask_height + i;
  return i * (how.rows_of_height ? s.mask_height : s.mask_width) + j;
}

struct Sum {
  double want = 0;
  double condition = 0;
};

Sum window(const Reading& how, const GoldenCall& call, const Sizes& s, Int row, Int column) {
  const auto image = call.input<float>("image");
  const auto mask = call.input<float>("mask");
  const bool width_above = how.exchanges_radii || how.radius_of_width;
  const bool height_beside = how.exchanges_radii || how.rows_as_columns || how.radius_of_height;
  const Int up = width_above ? s.mask_width / 2 : s.mask_height / 2;
  const Int left = height_beside ? s.mask_height / 2 : s.mask_width / 2;
  const Int top = row + how.down - (how.from_output ? 0 : up);
  const Int first = column + how.right - (how.from_output ? 0 : left);
  const bool leaves =
      top < 0 || top + s.mask_height > s.height || first < 0 || first + s.mask_width > s.width;
  if (leaves && how.outside == Outside::no_result) return {};
  if (leaves && how.outside == Outside::copied) {
    const double pixel = image[static_cast<std::size_t>(row * s.width + column)];
    return {.want = pixel, .condition = std::abs(pixel)};
  }
  const Int mask_columns = how.rows_as_columns ? s.mask_height : s.mask_width;
  Sum sum;
  if (how.adds_pixel) sum.want = image[static_cast<std::size_t>(row * s.width + column)];
  sum.condition = std::abs(sum.want);
  double weights = 0;
  Int inside = 0;
  for (Int i = how.last_row_only ? s.mask_height - 1 : how.first_row;
       i < s.mask_height - how.fewer_rows; ++i) {
    for (Int j = how.first_column; j < mask_columns - how.fewer_columns; ++j) {
      if (how.without_centre && i == s.mask_height / 2 && j == s.mask_width / 2) continue;
      Int y = top + i;
      Int x = first + j;
      if (how.moves) how.moves(row, column, y, x, s);
      const Int at = place(how, s, y, x);
      Int of_mask = mask_place(how, s, i, j);
      if (how.advances_inside) of_mask = inside;
      if (how.first_element) of_mask = 0;
      if (at == -2 || of_mask >= s.mask_height * s.mask_width) return {.condition = kAnything};
      double weight = how.ignores_mask ? 1 : double{mask[static_cast<std::size_t>(of_mask)]};
      weights += weight;
      if (at == -1 && how.breaks) break;
      if (at == -1) continue;
      ++inside;
      if (how.hides && how.hides(row, column, top + i, first + j, s)) continue;
      double pixel = image[static_cast<std::size_t>(at)];
      if (how.bits > 0) {
        weight = rounded_to(weight, how.bits);
        pixel = rounded_to(pixel, how.bits);
      }
      if (how.last_product_only) sum = {};
      sum.want += weight * pixel;
      sum.condition += std::abs(weight * pixel);
      if (how.whole_numbers) sum.want = std::trunc(sum.want);
    }
  }
  double divisor = how.averages && weights != 0 ? weights : 1;
  if (how.by_number) divisor = static_cast<double>(s.mask_height * s.mask_width);
  if (how.by_inside) divisor = static_cast<double>(std::max<Int>(inside, 1));
  // As a float: sums of whole numbers are compared exactly.
  sum.want = how.shown(divisor == 1 ? sum.want : rounded_to(sum.want / divisor, 24));
  sum.condition /= std::abs(divisor);
  return sum;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto result = call.floats("result");
    const Sizes s{.height = call.dim("height"),
                  .width = call.dim("width"),
                  .mask_height = call.dim("mask_height"),
                  .mask_width = call.dim("mask_width")};
    for (Int row = 0; row < s.height; ++row) {
      for (Int column = 0; column < s.width; ++column) {
        const Sum sum = window(how, call, s, row, column);
        result.want[static_cast<std::size_t>(row * s.width + column)] = sum.want;
        result.condition[static_cast<std::size_t>(row * s.width + column)] = sum.condition;
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("window-left", "for a window one column too far to the left", reading({.right = -1}),
           "P11");
  list.add("window-right", "for a window one column too far to the right", reading({.right = 1}),
           "P11");
  list.add("window-up", "for a window one row too high", reading({.down = -1}), "P11");
  list.add("window-down", "for a window one row too low", reading({.down = 1}), "P11");
  list.add("window-up-left", "for a window one row too high and one column too far to the left",
           reading({.down = -1, .right = -1}), "P11");
  list.add("window-down-right", "for a window one row too low and one column too far to the right",
           reading({.down = 1, .right = 1}), "P11");
  list.add("window-from-output",
           "for a window that begins at the output, not half a mask before it",
           reading({.from_output = true}), "P11");
  list.add(
      "radii-exchanged",
      "for a window that has mask_width / 2 rows above and mask_height / 2 columns to the left",
      reading({.exchanges_radii = true}), "P11");
  list.add("mask-flipped",
           "for the mask rotated by 180 degrees, the other definition of convolution",
           reading({.flips_rows = true, .flips_columns = true}));
  list.add("mask-upside-down", "for a mask with its rows in reverse order",
           reading({.flips_rows = true}));
  list.add("mask-mirrored", "for a mask with its columns in reverse order",
           reading({.flips_columns = true}));
  list.add("mask-transposed", "for the mask read as if it were transposed",
           reading({.transposes = true}), "P5");
  list.add("mask-rows-of-height", "for rows of the mask that have mask_height elements",
           reading({.rows_of_height = true}), "P5");
  list.add("image-rows-of-height", "for rows of the image that have `height` elements",
           reading({.image_rows_of_height = true}), "P5");
  list.add("no-last-mask-row", "for a mask without its last row", reading({.fewer_rows = 1}));
  list.add("no-last-mask-column", "for a mask without its last column",
           reading({.fewer_columns = 1}));
  list.add("mask-ends-early", "for a mask without its last row and its last column",
           reading({.fewer_rows = 1, .fewer_columns = 1}));
  list.add("mask-begins-late", "for a mask without its first row and its first column",
           reading({.first_row = 1, .first_column = 1}));
  list.add("no-centre", "for a mask whose central element is 0", reading({.without_centre = true}));
  list.add("mask-of-ones", "for a mask whose elements are all 1", reading({.ignores_mask = true}));
  list.add("divided-by-mask", "divided by the sum of the mask's elements",
           reading({.averages = true}));
  list.add("border-nearest",
           "for pixels outside the image that equal the nearest pixel in it; they count as 0",
           reading({.outside = Outside::nearest}), "P60");
  list.add("border-opposite",
           "for pixels outside the image that are taken from its opposite side; they count as 0",
           reading({.outside = Outside::opposite}), "P60");
  list.add("border-reflected",
           "for pixels outside the image that are reflected at its edge; they count as 0",
           reading({.outside = Outside::reflected}), "P60");
  list.add("border-zero", "if outputs whose window leaves the image were 0",
           reading({.outside = Outside::no_result}), "P60");
  list.add("border-copied", "if outputs whose window leaves the image were copies of their pixel",
           reading({.outside = Outside::copied}), "P60");
  list.add("columns-not-tested",
           "if a window went on in the next row after the end of a row: columns are not tested",
           reading({.outside = Outside::next_row}), "P4");
  list.add("eleven-bits", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
  list.add("no-first-mask-row", "for a mask without its first row", reading({.first_row = 1}));
  list.add("no-first-mask-column", "for a mask without its first column",
           reading({.first_column = 1}));
  list.add("last-mask-row", "for the mask's last row only: the sum begins with 0 again in each row",
           reading({.last_row_only = true}));
  list.add("last-product", "for the last product alone: each product replaces the sum",
           reading({.last_product_only = true}));
  list.add("square-of-height", "for a mask of mask_height x mask_height elements",
           reading({.rows_as_columns = true}), "P12");
  list.add("radius-of-height", "for a window that also has mask_height / 2 columns to the left",
           reading({.radius_of_height = true}), "P11");
  list.add("radius-of-width", "for a window that also has mask_width / 2 rows above",
           reading({.radius_of_width = true}), "P11");
  struct Edge {
    const char* id;
    const char* says;
    bool top, left, bottom, right;
  };
  for (const Edge& edge : {Edge{"first-row", "row 0", true, false, false, false},
                           Edge{"first-column", "column 0", false, true, false, false},
                           Edge{"first-two", "row 0 and column 0", true, true, false, false},
                           Edge{"last-row", "the last row", false, false, true, false},
                           Edge{"last-column", "the last column", false, false, false, true},
                           Edge{"last-two", "the last row and column", false, false, true, true}}) {
    list.add(std::string(edge.id) + "-outside",
             "if " + std::string(edge.says) + " of the image counted as 0, like pixels outside",
             reading({.hides =
                          [edge](Int, Int, Int y, Int x, const Sizes& s) {
                            return (edge.top && y == 0) || (edge.left && x == 0) ||
                                   (edge.bottom && y == s.height - 1) ||
                                   (edge.right && x == s.width - 1);
                          }}),
             "P60");
  }
  list.add("column-after-the-end",
           "if the pixel after the end of a row counted: a column is tested with <= width",
           reading({.open_end = 1}), "P4");
  list.add("row-ends-outside",
           "if a row of the window ended at its first pixel outside the image: break, not continue",
           reading({.breaks = true}), "P60");
  list.add("mask-stops-outside", "if the mask moved on only at pixels of the image",
           reading({.advances_inside = true}));
  list.add("first-mask-element", "for the first element of the mask in place of all",
           reading({.first_element = true}));
  list.add("whole-numbers", "if the sum were an int, without fractions",
           reading({.whole_numbers = true}), "P56");
  list.add("pixel-added", "if the sum began with the pixel itself, and not with 0",
           reading({.adds_pixel = true}));
  list.add("divided-by-number", "divided by the number of the mask's elements",
           reading({.by_number = true}));
  list.add("divided-by-inside", "divided by the number of the window's pixels in the image",
           reading({.by_inside = true}));
  list.add("magnitudes", "for absolute values of the sums",
           reading({.shown = [](double sum) { return std::abs(sum); }}));
  list.add("no-negative", "with 0 in place of negative sums",
           reading({.shown = [](double sum) { return std::max(sum, 0.0); }}));
  list.add("bytes", "for sums limited to 0 to 255, as those of bytes",
           reading({.shown = [](double sum) { return std::clamp(sum, 0.0, 255.0); }}));
  struct Missing {
    Halo halo;
    const char* id;
    const char* says;
  };
  struct Tile {
    Int height, width;
  };
  for (const Tile tile : {Tile{8, 32}, Tile{16, 16}, Tile{32, 32}}) {
    const std::string size = std::to_string(tile.width) + " x " + std::to_string(tile.height);
    for (const Missing& missing :
         {Missing{Halo::all, "all", "all pixels around"},
          Missing{Halo::rows, "rows", "the rows above and below"},
          Missing{Halo::columns, "columns", "the columns to the left and right of"},
          Missing{Halo::corners, "corners", "the corners outside of"},
          Missing{Halo::right_and_below, "after", "the pixels to the right of and below"},
          Missing{Halo::left_and_above, "before", "the pixels to the left of and above"}}) {
      // Those of 32 columns are the same for tiles of any height.
      if (missing.halo == Halo::columns && tile.height == 8) continue;
      list.add(
          "no-halo-" + std::to_string(tile.width) + "-" + std::to_string(tile.height) + "-" +
              missing.id,
          "if " + std::string(missing.says) + " each tile of " + size + " outputs counted as 0",
          reading({.hides = without_halo(tile.height, tile.width, missing.halo)}), "P10");
    }
    list.add(
        "loaded-once-" + std::to_string(tile.width) + "-" + std::to_string(tile.height),
        "if a block of " + size + " threads loaded one pixel each, and the rest of its tile were 0",
        reading({.hides =
                     [tile](Int row, Int column, Int y, Int x, const Sizes& s) {
                       const Int top = row / tile.height * tile.height - s.mask_height / 2;
                       const Int left = column / tile.width * tile.width - s.mask_width / 2;
                       return y >= top + tile.height || x >= left + tile.width;
                     }}),
        "P10");
  }
  struct Block {
    Int height, width;
  };
  for (const Block block : {Block{8, 32}, Block{16, 16}, Block{32, 32}}) {
    const std::string size = std::to_string(block.width) + " x " + std::to_string(block.height);
    const std::string id = std::to_string(block.width) + "-" + std::to_string(block.height);
    list.add(
        "halo-of-nearest-" + id,
        "if pixels outside of each tile of " + size + " outputs equalled the nearest one in it",
        reading({.moves =
                     [block](Int row, Int column, Int& y, Int& x, const Sizes& s) {
                       if (y < 0 || y >= s.height || x < 0 || x >= s.width) return;
                       const Int top = row / block.height * block.height;
                       const Int left = column / block.width * block.width;
                       y = std::clamp(y, top, std::min(top + block.height, s.height) - 1);
                       x = std::clamp(x, left, std::min(left + block.width, s.width) - 1);
                     }}),
        "P10");
    list.add("halo-above-of-width-" + id,
             "if a tile of " + size +
                 " outputs had mask_width / 2 more rows on each side, and further ones were 0",
             reading({.hides =
                          [block](Int row, Int, Int y, Int, const Sizes& s) {
                            const Int top = row / block.height * block.height;
                            return y < top - s.mask_width / 2 ||
                                   y >= top + block.height + s.mask_width / 2;
                          }}),
             "P10");
    if (block.height == 8) continue;  // as for 32 x 32
    list.add(
        "halo-beside-of-height-" + id,
        "if a tile with " + std::to_string(block.width) +
            " columns of outputs had mask_height / 2 more on each side, and further ones were 0",
        reading({.hides =
                     [block](Int, Int column, Int, Int x, const Sizes& s) {
                       const Int left = column / block.width * block.width;
                       return x < left - s.mask_height / 2 ||
                              x >= left + block.width + s.mask_height / 2;
                     }}),
        "P10");
  }
}
