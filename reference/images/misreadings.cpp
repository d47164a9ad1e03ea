#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

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
  bool rows_of_height = false;
  bool one_axis_x = false;  // a mean of a row's part only
  bool one_axis_y = false;
  bool without_centre = false;
};

Int mean(const Reading& how, const GoldenCall& call, Int i, Int j) {
  const auto image = call.input<std::uint8_t>("image");
  const Int height = call.dim("height");
  const Int width = call.dim("width");
  const Int radius = call.dim("radius");
  Int sum = 0;
  Int count = 0;
  const Int before = std::max<Int>(radius - how.before, 0);
  const Int after = radius - how.after;
  for (Int k = i + how.down - (how.one_axis_x ? 0 : before);
       k <= i + how.down + (how.one_axis_x ? 0 : after); ++k) {
    for (Int l = j + how.right - (how.one_axis_y ? 0 : before);
         l <= j + how.right + (how.one_axis_y ? 0 : after); ++l) {
      if (how.without_centre && k == i && l == j) continue;
      const bool inside = k >= 0 && k < height && l >= 0 && l < width;
      if (!inside && how.outside == Outside::kept) {
        return image[static_cast<std::size_t>(i * width + j)];
      }
      if (!inside && how.outside == Outside::absent) continue;
      ++count;
      if (!inside && how.outside == Outside::zero) continue;
      Int row = std::clamp<Int>(k, 0, height - 1);
      Int column = std::clamp<Int>(l, 0, width - 1);
      if (how.outside == Outside::opposite) {
        row = (k % height + height) % height;
        column = (l % width + width) % width;
      }
      const Int at = row * (how.rows_of_height ? height : width) + column;
      if (at < height * width) sum += image[static_cast<std::size_t>(at)];
    }
  }
  if (how.sums_bytes) sum &= 0xFF;
  if (count == 0) return image[static_cast<std::size_t>(i * width + j)];
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
      const std::size_t first = how.planes ? at : 3 * at;
      gray[at] = how.gray(rgb[first], rgb[first + step], rgb[first + 2 * step]) & 0xFF;
      blurred[at] = mean(how, call, static_cast<Int>(at) / width, static_cast<Int>(at) % width);
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
}
