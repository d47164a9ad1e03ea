#include "harness/golden/misreading.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using warpgrade::GoldenCall;
using warpgrade::kAnything;

namespace {

/// A column's values, in the order of the rows, are reduced to one.
using OfColumn = std::function<double(const std::vector<float>&)>;

/// What is done with a column, and where it is taken from.
struct Reading {
  OfColumn of;
  bool row = false;  // row c in place of column c
  std::size_t shift = 0;  // column c + shift
};

float in_order(const std::vector<float>& values) {
  float sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

/// The values of `all` from `first` on, every `step`-th.
std::vector<float> part(const std::vector<float>& all, std::size_t first, std::size_t step = 1,
                        std::size_t end = std::numeric_limits<std::size_t>::max()) {
  std::vector<float> some;
  for (std::size_t i = first; i < std::min(all.size(), end); i += step) some.push_back(all[i]);
  return some;
}

/// Sums of parts, each in order, which are added in order.
float in_parts(const std::vector<std::vector<float>>& parts) {
  std::vector<float> sums;
  for (const auto& values : parts) sums.push_back(in_order(values));
  return in_order(sums);
}

auto reading(const Reading& how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const auto rows = static_cast<std::size_t>(call.dim("rows"));
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    for (std::size_t c = 0; c < columns; ++c) {
      std::vector<float> values;
      bool known = true;
      if (how.row) {
        known = c < rows;
        for (std::size_t k = 0; known && k < columns; ++k) values.push_back(in[c * columns + k]);
      } else {
        // The column after the last one is the first of the next row; the last row has none.
        for (std::size_t r = 0; r < rows; ++r) {
          const std::size_t at = r * columns + c + how.shift;
          known = known && at < in.size();
          if (known) values.push_back(in[at]);
        }
      }
      out.want[c] = known ? how.of(values) : 0;
      out.condition[c] = known ? 0 : kAnything;
    }
  };
}

float adjacent_pairs(std::vector<float> values) {
  while (values.size() > 1) {
    std::vector<float> sums;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      sums.push_back(i + 1 < values.size() ? values[i] + values[i + 1] : values[i]);
    }
    values = std::move(sums);
  }
  return values.empty() ? 0 : values[0];
}

double in_double(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return static_cast<float>(sum);
}

std::vector<float> each(std::vector<float> values, float (*change)(float)) {
  std::ranges::transform(values, values.begin(), change);
  return values;
}

std::vector<std::vector<float>> tiles_of(const std::vector<float>& values, std::size_t rows) {
  std::vector<std::vector<float>> tiles;
  for (std::size_t i = 0; i < values.size(); i += rows) {
    tiles.push_back(part(values, i, 1, i + rows));
  }
  return tiles;
}

/// `size` rows at a time are added to each other, in order or in pairs, and then to the sum; the
/// rows after the last whole group are added one by one.
auto in_groups(std::size_t size, bool pairs) {
  return reading({.of = [=](const std::vector<float>& all) {
    const std::size_t whole = all.size() / size * size;
    float sum = 0;
    for (std::size_t i = 0; i < whole; i += size) {
      const std::vector<float> group = part(all, i, 1, i + size);
      sum += pairs ? adjacent_pairs(group) : in_order(group);
    }
    for (std::size_t i = whole; i < all.size(); ++i) sum += all[i];
    return double{sum};
  }});
}

/// The sum of tiles of `size` rows, of which number t of `count` is tile which(t, count).
auto in_tiles(std::size_t size,
              std::function<std::size_t(std::size_t t, std::size_t count)> which) {
  return reading({.of = [=](const std::vector<float>& all) {
    const std::size_t count = (all.size() + size - 1) / size;
    std::vector<float> values;
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t from = which(t, count);
      if (from >= count) continue;
      const auto tile = part(all, from * size, 1, (from + 1) * size);
      values.insert(values.end(), tile.begin(), tile.end());
    }
    return double{in_order(values)};
  }});
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  using Values = const std::vector<float>&;
  list.unchanged(reading({.of = in_order}));
  list.add("reversed", "for the rows added from the last one to the first",
           reading({.of = [](Values v) {
             return in_order({v.rbegin(), v.rend()});
           }}));
  list.add("halves", "for the two halves of each column added apart, and then their sums",
           reading({.of = [](Values v) {
             return in_parts({part(v, 0, 1, v.size() / 2), part(v, v.size() / 2)});
           }}));
  list.add("even-and-odd", "for the even and the odd rows added apart, and then the two sums",
           reading({.of = [](Values v) {
             return in_parts({part(v, 0, 2), part(v, 1, 2)});
           }}));
  list.add("four-interleaved", "for four sums of every fourth row, which are then added",
           reading({.of = [](Values v) {
             return in_parts({part(v, 0, 4), part(v, 1, 4), part(v, 2, 4), part(v, 3, 4)});
           }}));
  list.add("tiles-of-32", "for the sums of 32 rows each, which are then added",
           reading({.of = [](Values v) { return in_parts(tiles_of(v, 32)); }}));
  list.add("tiles-of-64", "for the sums of 64 rows each, which are then added",
           reading({.of = [](Values v) { return in_parts(tiles_of(v, 64)); }}));
  list.add("pairs", "for a tree of pairs of adjacent rows", reading({.of = adjacent_pairs}));
  list.add("double", "for sums in double, rounded to float at the end", reading({.of = in_double}));
  list.add("first-row-missing", "without the first row",
           reading({.of = [](Values v) { return in_order(part(v, 1)); }}));
  list.add("last-row-missing", "without the last row", reading({.of = [](Values v) {
             return in_order(part(v, 0, 1, v.empty() ? 0 : v.size() - 1));
           }}));
  list.add("last-tile-of-32-missing", "without the rows after the last whole 32",
           reading({.of = [](Values v) { return in_order(part(v, 0, 1, v.size() / 32 * 32)); }}),
           "P6");
  list.add("last-tile-of-64-missing", "without the rows after the last whole 64",
           reading({.of = [](Values v) { return in_order(part(v, 0, 1, v.size() / 64 * 64)); }}),
           "P6");
  list.add("last-tile-only", "for the last 32 rows: the sum begins anew with each tile",
           reading({.of = [](Values v) {
             return v.empty() ? 0 : in_order(part(v, (v.size() - 1) / 32 * 32));
           }}));
  list.add("first-row-twice", "with the first row added twice", reading({.of = [](Values v) {
             return v.empty() ? 0 : in_parts({part(v, 0, 1, 1), v});
           }}));
  list.add("sums-of-rows", "for the sums of rows in place of columns",
           reading({.of = in_order, .row = true}), "P5");
  list.add("next-column", "for the column to the right", reading({.of = in_order, .shift = 1}));
  list.add("mean", "for the mean of each column",
           reading({.of = [](Values v) { return in_order(v) / static_cast<float>(v.size()); }}));
  list.add("largest", "for the largest value of each column",
           reading({.of = [](Values v) { return v.empty() ? 0 : *std::ranges::max_element(v); }}));
  list.add("absolute", "for the sums of absolute values", reading({.of = [](Values v) {
             return in_order(each(v, [](float x) { return std::abs(x); }));
           }}));
  list.add(
      "squares", "for the sums of squares",
      reading({.of = [](Values v) { return in_order(each(v, [](float x) { return x * x; })); }}));
  for (const std::size_t size : {8U, 16U, 32U, 64U}) {
    const std::string rows = std::to_string(size);
    list.add("one-tile-behind-" + rows,
             "if the first " + rows + " rows were added twice and the last tile of " + rows +
                 " rows not at all: each tile is one step behind",
             in_tiles(size, [](std::size_t t, std::size_t) { return t == 0 ? 0 : t - 1; }));
    list.add("without-first-tile-" + rows, "without the first " + rows + " rows",
             in_tiles(size, [](std::size_t t, std::size_t count) { return t == 0 ? count : t; }));
    list.add(
        "without-last-tile-" + rows,
        "without the last tile of " + rows + " rows, whole or not: it is loaded, and not added",
        in_tiles(size, [](std::size_t t, std::size_t count) { return t + 1 < count ? t : count; }));
    list.add("even-tiles-twice-" + rows,
             "if of two tiles of " + rows + " rows the first were added twice, in place of both",
             in_tiles(size, [](std::size_t t, std::size_t) { return t / 2 * 2; }));
    list.add("first-tile-in-all-" + rows,
             "for the first " + rows + " rows, added once for each tile of " + rows,
             in_tiles(size, [](std::size_t, std::size_t) { return std::size_t{0}; }));
  }
  for (const std::size_t size : {2U, 4U, 8U}) {
    const std::string rows = std::to_string(size);
    const std::string then = ", and then to the sum";
    list.add("groups-of-" + rows, "for " + rows + " rows at a time added to each other" + then,
             in_groups(size, false));
    if (size == 2) continue;
    list.add("pairs-in-groups-of-" + rows,
             "for " + rows + " rows at a time added to each other in pairs" + then,
             in_groups(size, true));
  }
}
