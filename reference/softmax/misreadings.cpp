#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A row's largest value and sum over its first `some` columns, or over other values.
struct Reading {
  double begin = -kInfinity;  // of the search for the largest value
  bool subtracts = true;  // the largest value
  bool divides = true;
  bool along_columns = false;  // the sum of a column in place of a row
  bool of_matrix = false;  // the sum of all rows
  bool by_sum_of_values = false;  // values themselves in place of their exponentials
  bool negated = false;
  bool base_two = false;
  bool logarithm = false;
  bool not_rescaled = false;  // summands keep the largest value that was known when they were added
  std::size_t summed = 0;  // columns that are summed; 0: all
  std::size_t left_out = 0;  // columns at the end that are not summed
  bool of_lane = false;  // each lane divides by what it has after shuffles down
  double extra = 0;  // is added to the sum
  int bits = 0;  // of exponentials; 0: they are not rounded
};

double exponential(const Reading& how, double x) {
  if (how.negated) x = -x;
  const double result = how.base_two ? std::exp2(x) : std::exp(x);
  // In float it is infinite above, and 0 below the smallest number.
  if (result > FLT_MAX) return kInfinity;
  if (result < 0x1p-149) return 0;
  return how.bits > 0 ? rounded_to(result, how.bits) : result;
}

/// What the lanes of a warp have of a row's sum after shuffles down: only lane 0 has all of it.
std::array<double, 32> sums_of_lanes(const Reading& how, std::span<const float> row,
                                     double largest) {
  std::array<double, 32> sums{};
  for (std::size_t j = 0; j < row.size(); ++j) sums[j % 32] += exponential(how, row[j] - largest);
  for (std::size_t step = 16; step > 0; step /= 2) {
    const std::array<double, 32> before = sums;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      sums[lane] += before[lane + step < 32 ? lane + step : lane];
    }
  }
  return sums;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const auto rows = static_cast<std::size_t>(call.dim("rows"));
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    double whole = 0;
    for (const float value : in) whole += exponential(how, value);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = in.subspan(i * columns, columns);
      double largest = how.begin;
      for (const float value : row) {
        largest = std::max(largest, static_cast<double>(value));
      }
      if (!how.subtracts) largest = 0;
      std::size_t summed = how.summed == 0 ? columns : std::min(how.summed, columns);
      summed -= std::min(summed, how.left_out);
      double sum = how.extra;
      double so_far = -kInfinity;
      for (const float value : row.first(summed)) {
        so_far = std::max(so_far, static_cast<double>(value));
        const double of = how.not_rescaled ? so_far : largest;
        sum += how.by_sum_of_values ? double{value} : exponential(how, value - of);
      }
      const auto lanes = how.of_lane ? sums_of_lanes(how, row, largest) : std::array<double, 32>{};
      for (std::size_t j = 0; j < columns; ++j) {
        if (how.along_columns) {
          sum = 0;
          for (std::size_t k = 0; k < rows; ++k) {
            sum += exponential(how, in[k * columns + j] - largest);
          }
        }
        if (how.of_matrix) sum = whole;
        if (how.of_lane) sum = lanes[j % 32];
        const double above =
            how.by_sum_of_values ? double{row[j]} : exponential(how, row[j] - largest);
        double want = how.divides ? above / sum : above;
        if (how.logarithm) want = std::log(want);
        out.want[i * columns + j] = want;
        out.condition[i * columns + j] = std::isfinite(want) ? std::abs(want) : 0;
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add(
      "sum-of-lane",
      "if each lane divided by its own part of the sum: after shuffles down only lane 0 has all",
      reading({.of_lane = true}), "P38");
  list.add("not-divided", "if the exponentials were not divided by their sum",
           reading({.divides = false}));
  list.add("largest-not-subtracted", "if the largest value were not subtracted",
           reading({.subtracts = false}));
  list.add("largest-from-zero", "if the search for the largest value began with 0",
           reading({.begin = 0}), "P52");
  list.add("not-rescaled", "if the sum were not rescaled when a larger value is found",
           reading({.not_rescaled = true}));
  list.add("along-columns", "for sums of columns; each row has its own sum",
           reading({.along_columns = true}), "P5");
  list.add("of-the-matrix", "for one sum of the whole matrix; each row has its own",
           reading({.subtracts = false, .of_matrix = true}));
  list.add("values-over-sum", "for values divided by their sum, without the exponential function",
           reading({.by_sum_of_values = true}));
  list.add("negative-exponents", "for exponents of the opposite sign",
           reading({.subtracts = false, .negated = true}));
  list.add("base-two", "for powers of two in place of powers of e", reading({.base_two = true}));
  list.add("logarithm", "for the logarithm of the softmax", reading({.logarithm = true}));
  list.add("no-last-column", "for sums without the last column", reading({.left_out = 1}));
  for (const std::size_t block : {32U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("sum-of-first-" + size, "for sums of the first " + size + " columns only",
             reading({.summed = block}), "P13");
  }
  list.add("one-more", "if the sum began with 1 in place of 0", reading({.extra = 1}), "P52");
  list.add("halves", "for exponentials rounded to half precision", reading({.bits = 11}), "P56");
}
