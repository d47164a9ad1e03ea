#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

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
};

Int reflected(Int at, Int count) {
  if (at < 0) at = -at - 1;
  if (at >= count) at = 2 * count - 1 - at;
  return std::clamp<Int>(at, 0, count - 1);
}

/// The position of a pixel in the image; -1: it counts as 0, -2: it is read outside the array.
Int place(const Reading& how, const Sizes& s, Int y, Int x) {
  const bool in_rows = y >= 0 && y < s.height;
  const bool in_columns = x >= 0 && x < s.width;
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
  const Int up = how.exchanges_radii ? s.mask_width / 2 : s.mask_height / 2;
  const Int left = how.exchanges_radii ? s.mask_height / 2 : s.mask_width / 2;
  const Int top = row + how.down - (how.from_output ? 0 : up);
  const Int first = column + how.right - (how.from_output ? 0 : left);
  const bool leaves =
      top < 0 || top + s.mask_height > s.height || first < 0 || first + s.mask_width > s.width;
  if (leaves && how.outside == Outside::no_result) return {};
  if (leaves && how.outside == Outside::copied) {
    const double pixel = image[static_cast<std::size_t>(row * s.width + column)];
    return {.want = pixel, .condition = std::abs(pixel)};
  }
  Sum sum;
  double weights = 0;
  for (Int i = 0; i < s.mask_height - how.fewer_rows; ++i) {
    for (Int j = 0; j < s.mask_width - how.fewer_columns; ++j) {
      if (how.without_centre && i == s.mask_height / 2 && j == s.mask_width / 2) continue;
      const Int at = place(how, s, top + i, first + j);
      const Int of_mask = mask_place(how, s, i, j);
      if (at == -2 || of_mask >= s.mask_height * s.mask_width) return {.condition = kAnything};
      double weight = how.ignores_mask ? 1 : double{mask[static_cast<std::size_t>(of_mask)]};
      weights += weight;
      if (at == -1) continue;
      double pixel = image[static_cast<std::size_t>(at)];
      if (how.bits > 0) {
        weight = rounded_to(weight, how.bits);
        pixel = rounded_to(pixel, how.bits);
      }
      sum.want += weight * pixel;
      sum.condition += std::abs(weight * pixel);
    }
  }
  if (how.averages && weights != 0) {
    sum.want /= weights;
    sum.condition /= std::abs(weights);
  }
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
}
