#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

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

/// The largest value of a column, and the sum of its exponentials without this.
struct Column {
  double largest = -kInfinity;
  double sum = 0;
};

std::vector<Column> columns_of(const Reading& how, std::span<const float> in, std::size_t columns) {
  std::vector<Column> all(columns);
  for (std::size_t i = 0; i < in.size(); ++i) {
    Column& column = all[i % columns];
    column.largest = std::max(column.largest, double{in[i]});
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    Column& column = all[i % columns];
    column.sum += exponential(how, in[i] - column.largest);
  }
  return all;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const auto rows = static_cast<std::size_t>(call.dim("rows"));
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    double whole = 0;
    for (const float value : in) whole += exponential(how, value);
    const std::vector<Column> all =
        how.along_columns ? columns_of(how, in, columns) : std::vector<Column>();
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
          sum = all[j].sum * exponential(how, all[j].largest - largest);
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

enum class Largest { subtracted, not_subtracted, after_exp };

/// Sums of groups of columns, such as those of a thread, of which each column uses one.
struct Shares {
  std::function<std::size_t(std::size_t column)> group = [](std::size_t) { return std::size_t{0}; };
  std::function<bool(std::size_t column, std::size_t columns)> counts =
      [](std::size_t, std::size_t) { return true; };
  bool one_sum = false;  // of all groups
  std::size_t in_tree = 0;  // so many threads each use what they have after a tree; 0: none
  bool own_largest = false;  // summands use the largest value of their group
  bool own_above = false;  // and so do numerators
  Largest above = Largest::subtracted;  // in numerators
  Largest below = Largest::subtracted;  // in the sum
  std::size_t filled = 0;  // missing columns up to a multiple of it are summed as zeros; 0: none
  std::size_t carries = 0;  // a row's sum also has that of the row so many before it; 0: it has not
  std::size_t divided = 0;  // columns that are divided; 0: all
  std::function<double(double value, double sum, std::size_t columns)> quotient =
      [](double value, double sum, std::size_t) { return value / sum; };
  bool whole = false;  // exponents are converted to int
};

double exponential(double x, double largest, Largest how) {
  const double result = exponential(Reading{}, how == Largest::subtracted ? x - largest : x);
  return how == Largest::after_exp ? result - largest : result;
}

auto reading(Shares how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const auto rows = static_cast<std::size_t>(call.dim("rows"));
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    std::vector<double> carried(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = in.subspan(i * columns, columns);
      std::size_t groups = 1;
      double largest = -kInfinity;
      for (std::size_t j = 0; j < columns; ++j) {
        groups = std::max(groups, how.group(j) + 1);
        largest = std::max(largest, double{row[j]});
      }
      std::vector<double> tops(groups, how.own_largest ? -kInfinity : largest);
      std::vector<double> sums(groups);
      for (std::size_t j = 0; j < columns; ++j) {
        double& top = tops[how.group(j)];
        top = std::max(top, double{row[j]});
      }
      const auto exponent = [&](std::size_t j, double top, Largest which) {
        if (how.whole) return exponential(std::trunc(row[j] - top), 0, Largest::subtracted);
        return exponential(row[j], top, which);
      };
      for (std::size_t j = 0; j < columns; ++j) {
        if (!how.counts(j, columns)) continue;
        sums[how.group(j)] += exponent(j, tops[how.group(j)], how.below);
      }
      if (how.filled > 0) {
        const std::size_t missing = (how.filled - columns % how.filled) % how.filled;
        sums[0] += static_cast<double>(missing) * exponential(0, largest, how.below);
      }
      if (how.in_tree > 0) sums.resize(how.in_tree);
      for (std::size_t stride = how.in_tree / 2; stride > 0; stride /= 2) {
        for (std::size_t t = 0; t < stride; ++t) sums[t] += sums[t + stride];
      }
      if (how.one_sum) sums.assign(groups, std::accumulate(sums.begin(), sums.end(), 0.0));
      if (how.carries > 0 && i >= how.carries) sums[0] += carried[i - how.carries];
      carried[i] = sums[0];
      for (std::size_t j = 0; j < columns; ++j) {
        double want = exponent(j, how.own_above ? tops[how.group(j)] : largest, how.above);
        if (how.divided == 0 || j < how.divided)
          want = how.quotient(want, sums[how.group(j)], columns);
        out.want[i * columns + j] = want;
        out.condition[i * columns + j] = std::isfinite(want) ? std::abs(want) : 0;
      }
    }
  };
}

/// Pairs of a row's largest value and the sum of its exponentials, one per thread.
struct Pairs {
  std::size_t threads = 32;
  bool sums_kept = false;  // a thread does not rescale its sum when it finds a larger value
  bool inverted = false;  // it does so by the reciprocal factor
  /// When two threads' pairs are combined.
  bool own_kept = false;  // the own sum is not rescaled
  bool other_kept = false;
  bool nan_without_columns = false;  // -infinity is subtracted from itself
};

struct Pair {
  double largest = -kInfinity;
  double sum = 0;
};

double scaled(double sum, double from, double to) {
  return from == to || sum == 0 ? sum : sum * exponential(Reading{}, from - to);
}

Pair combined(const Pair& own, const Pair& other, const Pairs& how) {
  const double largest = std::max(own.largest, other.largest);
  return {.largest = largest,
          .sum = (how.own_kept ? own.sum : scaled(own.sum, own.largest, largest)) +
                 (how.other_kept ? other.sum : scaled(other.sum, other.largest, largest))};
}

double sum_of_pairs(std::span<const float> row, const Pairs& how) {
  std::vector<Pair> pairs(how.threads);
  for (std::size_t j = 0; j < row.size(); ++j) {
    Pair& own = pairs[j % how.threads];
    const double largest = std::max(own.largest, double{row[j]});
    if (how.inverted && own.sum > 0) {
      own.sum *= exponential(Reading{}, largest - own.largest);
    } else if (!how.sums_kept) {
      own.sum = scaled(own.sum, own.largest, largest);
    }
    own.sum += exponential(Reading{}, row[j] - largest);
    own.largest = largest;
  }
  for (std::size_t stride = how.threads / 2; stride > 0; stride /= 2) {
    for (std::size_t t = 0; t < stride; ++t) {
      pairs[t] = combined(pairs[t], pairs[t + stride], how);
    }
  }
  return pairs[0].sum;
}

auto reading(Pairs how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const auto rows = static_cast<std::size_t>(call.dim("rows"));
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    for (std::size_t i = 0; i < rows && columns > 0; ++i) {
      const auto row = in.subspan(i * columns, columns);
      double sum = sum_of_pairs(row, how);
      if (how.nan_without_columns && columns < how.threads) {
        sum = std::numeric_limits<double>::quiet_NaN();
      }
      const double largest = *std::max_element(row.begin(), row.end());
      for (std::size_t j = 0; j < columns; ++j) {
        const double want = exponential(Reading{}, row[j] - largest) / sum;
        out.want[i * columns + j] = want;
        out.condition[i * columns + j] = std::isfinite(want) ? std::abs(want) : 0;
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading(Reading{}));
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
  list.add("subtracted-below-only", "if the largest value were subtracted in the sum only",
           reading(Shares{.above = Largest::not_subtracted}));
  list.add("subtracted-above-only", "if the largest value were subtracted in the numerator only",
           reading(Shares{.below = Largest::not_subtracted}));
  list.add("subtracted-after-exp", "for exp(in(i, j)) - m in place of exp(in(i, j) - m)",
           reading(Shares{.above = Largest::after_exp, .below = Largest::after_exp}));
  for (const std::size_t threads : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(threads);
    const auto thread = [threads](std::size_t j) { return j % threads; };
    const auto warp = [threads](std::size_t j) { return j % threads / 32; };
    list.add("sum-of-thread-" + size,
             "if each of " + size + " threads divided by the sum of its own columns",
             reading(Shares{.group = thread}));
    list.add("part-of-thread-" + size,
             "if each of " + size +
                 " threads divided by its own part after the tree: only part[0] is the sum",
             reading(Shares{.group = thread, .in_tree = threads}));
    list.add(
        "largest-of-thread-" + size,
        "if each of " + size + " threads subtracted the largest of its own columns",
        reading(Shares{.group = thread, .one_sum = true, .own_largest = true, .own_above = true}));
    list.add("merged-without-scale-" + size,
             "if the sums of " + size +
                 " threads were added without being scaled to the same largest value",
             reading(Shares{.group = thread, .one_sum = true, .own_largest = true}));
    list.add("thread-zero-" + size, "for sums of every " + size + "th column: what thread 0 has",
             reading(Shares{
                 .counts = [threads](std::size_t j, std::size_t) { return j % threads == 0; }}));
    list.add("half-of-tree-" + size,
             "for sums of the first half of each " + size + " columns: a step is missing",
             reading(Shares{.counts = [threads](std::size_t j, std::size_t) {
               return j % threads < threads / 2;
             }}));
    list.add("zeros-summed-" + size,
             "if missing columns up to a multiple of " + size + " were summed as zeros",
             reading(Shares{.filled = threads}), "P8");
    list.add(
        "whole-" + size,
        "for sums of whole groups of " + size + " columns: the rest of the division is left out",
        reading(Shares{
            .counts = [threads](std::size_t j,
                                std::size_t columns) { return j < columns / threads * threads; }}),
        "P13");
    list.add("divided-first-" + size,
             "if only the first " + size + " columns of each row were divided by the sum",
             reading(Shares{.divided = threads}));
    if (threads == 32) continue;
    list.add("sum-of-warp-" + size,
             "if each warp of " + size + " threads divided by the sum of its own columns",
             reading(Shares{.group = warp}));
    if (threads > 64)
      list.add(
          "first-warp-" + size,
          "for sums of the first warp's columns only, of " + size + " threads",
          reading(Shares{.counts = [warp](std::size_t j, std::size_t) { return warp(j) == 0; }}));
    list.add("last-warp-" + size,
             "for sums of the last warp's columns only, of " + size + " threads",
             reading(Shares{.counts = [threads, warp](std::size_t j, std::size_t) {
               return warp(j) == threads / 32 - 1;
             }}));
  }
  list.add("sum-of-half-warp",
           "if lanes divided by the sum of their half of the warp: the shuffle by 16 is missing",
           reading(Shares{.group = [](std::size_t j) { return j % 32 / 16; }}));
  list.add("no-first-column", "for sums without the first column",
           reading(Shares{.counts = [](std::size_t j, std::size_t) { return j > 0; }}));
  list.add(
      "whole-4", "for sums of whole groups of four columns: the rest of the division is left out",
      reading(
          Shares{.counts = [](std::size_t j, std::size_t columns) { return j < columns / 4 * 4; }}),
      "P13");
  for (std::size_t step = 1; step <= 128; step *= 2) {
    const std::string rows =
        step == 1 ? "the row before" : "the row " + std::to_string(step) + " before";
    list.add("carried-" + std::to_string(step),
             "if the sum of a row also had that of " + rows + ": it is not set to 0",
             reading(Shares{.carries = step}));
  }
  list.add("divided-by-columns", "divided by the number of columns in place of the sum",
           reading(Shares{.quotient = [](double value, double, std::size_t columns) {
             return value / static_cast<double>(columns);
           }}));
  list.add("divided-twice", "divided by the sum twice",
           reading(Shares{.quotient = [](double value, double sum, std::size_t) {
             return value / sum / sum;
           }}));
  list.add("multiplied", "multiplied by the sum, not divided",
           reading(Shares{
               .quotient = [](double value, double sum, std::size_t) { return value * sum; }}));
  list.add("root-of-sum", "divided by the square root of the sum",
           reading(Shares{.quotient = [](double value, double sum, std::size_t) {
             return value / std::sqrt(sum);
           }}));
  list.add("without-itself", "divided by the sum of the other columns",
           reading(Shares{.quotient = [](double value, double sum, std::size_t) {
             return value / (sum - value);
           }}));
  list.add("whole-exponents", "for exponents without their fractions: they are converted to int",
           reading(Shares{.whole = true}), "P56");
  list.add("bfloat16", "for exponentials rounded to bfloat16", reading(Reading{.bits = 8}), "P56");
  list.add("halves", "for exponentials rounded to half precision", reading({.bits = 11}), "P56");
  for (const std::size_t threads : {32U, 128U, 256U, 1024U}) {
    const std::string size = std::to_string(threads);
    const std::string of = threads == 32 ? "two lanes" : "two of " + size + " threads";
    list.add("own-sum-kept-" + size,
             "if the own sum were not rescaled when pairs (largest value, sum) of " + of +
                 " are combined",
             reading(Pairs{.threads = threads, .own_kept = true}));
    list.add("other-sum-kept-" + size,
             "if the other one's sum were not rescaled when pairs (largest value, sum) of " + of +
                 " are combined",
             reading(Pairs{.threads = threads, .other_kept = true}));
    list.add("thread-sums-kept-" + size,
             "if each of " + size + (threads == 32 ? " lanes" : " threads") +
                 " did not rescale its own sum when it finds a larger value",
             reading(Pairs{.threads = threads, .sums_kept = true}));
    list.add("nan-without-columns-" + size,
             "with NaN in rows of fewer than " + size +
                 " columns: a thread without one computes expf(-infinity - -infinity)",
             reading(Pairs{.threads = threads, .nan_without_columns = true}), "P52");
  }
  list.add("inverted-scale",
           "if a sum were multiplied by exp(new - old) when a larger value is found; it is "
           "exp(old - new)",
           reading(Pairs{.threads = 1, .inverted = true}));
  list.add("inverted-scale-32",
           "if each lane multiplied its sum by exp(new - old) for a larger value; it is "
           "exp(old - new)",
           reading(Pairs{.threads = 32, .inverted = true}));
  for (const std::size_t threads : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(threads);
    list.add("warps-merged-without-scale-" + size,
             "if the sums of the warps of " + size +
                 " threads were added without being scaled to the same largest value",
             reading(Shares{.group = [threads](std::size_t j) { return j % threads / 32; },
                            .one_sum = true,
                            .own_largest = true}));
  }
}
