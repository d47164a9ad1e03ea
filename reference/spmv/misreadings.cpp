#include <algorithm>
#include <array>
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

struct Range {
  std::size_t first, end;
};

/// The elements of a row, and where their factors are.
struct Reading {
  std::function<Range(std::size_t first, std::size_t end)> part = [](std::size_t first,
                                                                     std::size_t end) {
    return Range{first, end};
  };
  std::size_t step = 1;
  /// Whether element `number` of `count` of row i counts.
  std::function<bool(std::size_t number, std::size_t count, std::size_t i)> counts =
      [](std::size_t, std::size_t, std::size_t) { return true; };
  /// How often element `number` of a row counts.
  std::function<double(std::size_t number)> times = {};
  bool empty_as_before = false;  // an empty row gets the result of the row before it
  std::size_t joined = 0;  // so many rows all get the sum of their sums; 0: each has its own
  std::size_t row = 0;  // is added to the number of the row
  /// The index of x, for element k of row i in this column.
  std::function<std::size_t(std::size_t i, std::size_t k, std::size_t column)> of_x =
      [](std::size_t, std::size_t, std::size_t column) { return column; };
  bool by_position = false;  // x has the index of the element in its row
  std::size_t value = 0;  // is added to the index of the value
  bool ones = false;  // in place of the values
  bool x_ones = false;  // in place of x
  bool squares_x = false;
  std::size_t of_block = 0;  // rows of such a block are those of the first one; 0: none
  bool adds = false;  // in place of multiplying
  bool averages = false;
  double factor = 1;  // of each product
  bool whole = false;  // sums are converted to int
  std::size_t int_lanes = 0;  // so many lanes add to an int of their own; 0: to floats
  bool magnitudes = false;
  bool to_columns = false;  // the transposed matrix, as far as it has results
  bool accumulates = false;  // a row also has the sums of those before it
  std::size_t carries = 0;  // a row also has the sum of the row that many before it; 0: it has not
  int bits = 0;  // of factors; 0: they are not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto starts = call.input<std::int32_t>("row_starts");
    const auto columns = call.input<std::int32_t>("columns");
    const auto values = call.input<float>("values");
    const auto x = call.input<float>("x");
    const auto y = call.floats("y");
    for (std::size_t i = 0; i < y.want.size(); ++i) y.want[i] = y.condition[i] = 0;
    for (std::size_t i = 0; i < y.want.size(); ++i) {
      const std::size_t row = how.of_block > 0 ? i % how.of_block : i + how.row;
      if (row >= y.want.size()) {
        y.condition[i] = kAnything;
        continue;
      }
      const Range part = how.part(static_cast<std::size_t>(starts[row]),
                                  static_cast<std::size_t>(starts[row + 1]));
      std::array<double, 32> lanes{};
      for (std::size_t k = part.first; k < part.end; k += how.step) {
        if (k >= values.size()) {
          y.condition[i] = kAnything;
          break;
        }
        if (!how.counts(k - part.first, part.end - part.first, i)) continue;
        const auto column = static_cast<std::size_t>(columns[k]);
        const std::size_t to = how.to_columns ? column : i;
        std::size_t from = how.to_columns ? i : how.of_x(i, k, column);
        if (how.by_position) from = k - part.first;
        if (to >= y.want.size()) continue;
        if (from >= x.size() || k + how.value >= values.size()) {
          y.condition[to] = kAnything;
          continue;
        }
        double value = how.ones ? 1 : double{values[k + how.value]};
        double factor = how.x_ones ? 1 : double{x[from]};
        if (how.squares_x) factor *= factor;
        if (how.bits > 0) {
          value = rounded_to(value, how.bits);
          factor = rounded_to(factor, how.bits);
        }
        double term = how.factor * (how.adds ? value + factor : value * factor);
        if (how.times) term *= how.times(k - part.first);
        if (how.int_lanes > 0) {
          double& lane = lanes[(k - part.first) % how.int_lanes];
          const double before = lane;
          lane = std::trunc(lane + term);
          y.want[to] += lane - before;
        } else {
          y.want[to] += how.magnitudes ? std::abs(term) : term;
        }
        y.condition[to] += std::abs(term);
      }
      if (how.averages && part.end > part.first) {
        y.want[i] /= static_cast<double>(part.end - part.first);
      }
      if (how.whole) y.want[i] = std::trunc(y.want[i]);
      if (how.carries > 0 && i >= how.carries) {
        y.want[i] += y.want[i - how.carries];
        y.condition[i] += y.condition[i - how.carries];
      }
      const bool as_before = how.empty_as_before && part.first == part.end;
      if ((how.accumulates || as_before) && i > 0) {
        y.want[i] += y.want[i - 1];
        y.condition[i] += y.condition[i - 1];
      }
    }
    for (std::size_t i = 0; how.joined > 0 && i < y.want.size(); i += how.joined) {
      const std::size_t end = std::min(i + how.joined, y.want.size());
      for (std::size_t row = i + 1; row < end; ++row) {
        y.want[i] += y.want[row];
        y.condition[i] += y.condition[row];
      }
      for (std::size_t row = i + 1; row < end; ++row) {
        y.want[row] = y.want[i];
        y.condition[row] = y.condition[i];
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  for (std::size_t rows = 16; rows <= 4096; rows *= 2) {
    list.add("carried-" + std::to_string(rows),
             "if a thread's sum were not set to 0 for its next row, " + std::to_string(rows) +
                 " rows further down",
             reading({.carries = rows}));
  }
  list.add("no-last", "without the last element of each row",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{first, end > first ? end - 1 : end};
           }}));
  list.add("no-first", "without the first element of each row",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{end > first ? first + 1 : first, end};
           }}));
  list.add("one-more", "with one element too many in each row: the first one of the next row",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{first, end + 1};
           }}));
  list.add("first-only", "for the first element of each row alone",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{first, end > first ? first + 1 : end};
           }}));
  list.add("last-only", "for the last element of each row alone: each product replaces the sum",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{end > first ? end - 1 : end, end};
           }}));
  for (const std::size_t width : {8U, 16U, 32U, 64U}) {
    list.add("first-" + std::to_string(width),
             "for at most " + std::to_string(width) + " elements of each row",
             reading({.part =
                          [width](std::size_t first, std::size_t end) {
                            return Range{first, end < first + width ? end : first + width};
                          }}),
             width == 32 ? "P13" : "");
  }
  list.add("every-second", "for every second element of each row", reading({.step = 2}));
  list.add("next-row", "for the row after the right one", reading({.row = 1}));
  list.add("x-of-row", "for x[i], i the row, in place of x[columns[k]]",
           reading({.of_x = [](std::size_t i, std::size_t, std::size_t) { return i; }}));
  list.add("x-of-element", "for x[k] in place of x[columns[k]]",
           reading({.of_x = [](std::size_t, std::size_t k, std::size_t) { return k; }}));
  list.add("x-of-position", "for x indexed by the position in the row, in place of x[columns[k]]",
           reading({.by_position = true}));
  list.add(
      "x-after", "for x[columns[k] + 1], as if columns were counted from 1",
      reading({.of_x = [](std::size_t, std::size_t, std::size_t column) { return column + 1; }}));
  list.add(
      "x-before", "for x[columns[k] - 1], as if columns were counted from 1",
      reading({.of_x = [](std::size_t, std::size_t, std::size_t column) { return column - 1; }}));
  list.add("next-value", "for values[k + 1] in place of values[k]", reading({.value = 1}));
  list.add("ones", "if all elements of the matrix were 1", reading({.ones = true}));
  list.add("sums", "for values[k] + x[columns[k]] in place of their product",
           reading({.adds = true}));
  list.add("means", "divided by the number of elements in the row", reading({.averages = true}));
  list.add("transposed", "for the transposed matrix", reading({.to_columns = true}), "P5");
  list.add("accumulated", "if each row also had the sums of the rows before it",
           reading({.accumulates = true}));
  for (std::size_t width = 4; width <= 256; width *= 2) {
    const std::string lanes = std::to_string(width);
    list.add("first-of-" + lanes,
             "for elements 0, " + lanes + ", " + std::to_string(2 * width) +
                 ", ... of each row: what the other lanes have is not added",
             reading({.counts = [width](std::size_t number, std::size_t, std::size_t) {
               return number % width == 0;
             }}));
    list.add("half-of-" + lanes,
             "for the first half of each " + lanes + " elements of a row: the step of distance " +
                 std::to_string(width / 2) + " is missing",
             reading({.counts = [width](std::size_t number, std::size_t, std::size_t) {
               return number % width < width / 2;
             }}));
    list.add("odd-lost-of-" + lanes,
             "for every second element of the first " + lanes + " of each row",
             reading({.counts = [width](std::size_t number, std::size_t, std::size_t) {
               return number < width && number % 2 == 0;
             }}));
    list.add("whole-" + lanes,
             "for whole groups of " + lanes +
                 " elements in each row: the rest of the division is left out",
             reading({.counts = [width](std::size_t number, std::size_t count,
                                        std::size_t) { return number < count / width * width; }}),
             "P13");
    list.add("last-" + lanes,
             "for the last group of " + lanes + " elements in each row: each replaces the sum",
             reading({.counts = [width](std::size_t number, std::size_t count, std::size_t) {
               return number >= (count - 1) / width * width;
             }}));
    list.add("without-first-" + lanes, "without the first " + lanes + " elements of each row",
             reading({.counts = [width](std::size_t number, std::size_t, std::size_t) {
               return number >= width;
             }}));
  }
  list.add("first-warp-of-256",
           "for the first 32 of each 256 elements of a row: the other warps are not added",
           reading({.counts = [](std::size_t number, std::size_t, std::size_t) {
             return number % 256 < 32;
           }}));
  list.add("without-first-and-last", "without the first and the last element of each row",
           reading({.counts = [](std::size_t number, std::size_t count, std::size_t) {
             return number > 0 && number + 1 < count;
           }}));
  list.add("first-half", "for the first half of each row's elements",
           reading({.counts = [](std::size_t number, std::size_t count, std::size_t) {
             return number < count / 2;
           }}));
  list.add("pairs", "for pairs of elements: an odd last one is left out",
           reading({.counts = [](std::size_t number, std::size_t count,
                                 std::size_t) { return (number | 1) < count; }}),
           "P13");
  list.add("twice", "if each product were added twice", reading({.factor = 2}));
  list.add("thirty-two-times", "if each product were added by all 32 lanes",
           reading({.factor = 32}));
  list.add("previous-row", "for the row before the right one",
           reading({.row = static_cast<std::size_t>(-1)}));
  list.add("lengths-as-ends", "if row_starts[i + 1] were the number of elements of row i",
           reading({.part = [](std::size_t first, std::size_t end) {
             return Range{first, first + end};
           }}));
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.add(
        "row-of-block-" + std::to_string(block),
        "if each block of " + std::to_string(block) + " rows computed those of the first block",
        reading({.of_block = block}));
  }
  list.add("first-x", "for x[0] in place of x[columns[k]]",
           reading({.of_x = [](std::size_t, std::size_t, std::size_t) { return std::size_t{0}; }}));
  list.add("x-squared", "if x were multiplied twice: values[k] * x[columns[k]] * x[columns[k]]",
           reading({.squares_x = true}));
  list.add("x-forgotten", "for sums of the values, without x", reading({.x_ones = true}));
  list.add("magnitudes", "for the absolute values of the products", reading({.magnitudes = true}));
  list.add("int-sums", "if the sum were an int: each addition cuts off the fraction",
           reading({.int_lanes = 1}), "P56");
  list.add("int-sums-of-lanes", "if the sums of 32 lanes were int: each addition cuts the fraction",
           reading({.int_lanes = 32}), "P56");
  list.add("whole-sums", "without fractions: sums are converted to int", reading({.whole = true}),
           "P56");
  list.add("bfloat16", "for factors rounded to bfloat16, 8 significant bits", reading({.bits = 8}),
           "P56");
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
  struct Lanes {
    std::size_t lanes, step;
  };
  for (const Lanes how :
       {Lanes{2, 32}, Lanes{4, 32}, Lanes{8, 32}, Lanes{4, 16}, Lanes{16, 64}, Lanes{32, 128}}) {
    list.add("lanes-" + std::to_string(how.lanes) + "-step-" + std::to_string(how.step),
             "for the first " + std::to_string(how.lanes) + " of each " + std::to_string(how.step) +
                 " elements of a row: " + std::to_string(how.lanes) +
                 " lanes share it and go on by " + std::to_string(how.step),
             reading({.counts = [how](std::size_t number, std::size_t, std::size_t) {
               return number % how.step < how.lanes;
             }}));
  }
  for (const Lanes how :
       {Lanes{32, 1}, Lanes{32, 8}, Lanes{32, 16}, Lanes{8, 4}, Lanes{16, 8}, Lanes{8, 1}}) {
    list.add("lanes-" + std::to_string(how.lanes) + "-step-" + std::to_string(how.step),
             "if " + std::to_string(how.lanes) + " lanes shared a row and went on by " +
                 std::to_string(how.step) + ": most elements count several times",
             reading({.times = [how](std::size_t number) {
               const std::size_t last = std::min(number, how.lanes - 1);
               return static_cast<double>((last - number % how.step) / how.step + 1);
             }}));
  }
  for (const std::size_t rows : {2U, 4U, 8U, 16U}) {
    list.add("warp-joined-" + std::to_string(rows),
             "if " + std::to_string(rows) +
                 " rows that share a warp all had the sum of all of them: the shuffles go beyond "
                 "a row's lanes",
             reading({.joined = rows}), "P38");
  }
  list.add("empty-as-before", "if an empty row had the result of the row before it",
           reading({.empty_as_before = true}));
}
