#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

enum Op { sum, min, max, product };

double neutral(int op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return op == sum ? 0 : op == min ? kInfinity : op == max ? -kInfinity : 1;
}

double combined(int op, double a, double b) {
  switch (op) {
    case sum:
      return a + b;
    case min:
      return std::min(a, b);
    case max:
      return std::max(a, b);
    default:
      return a * b;
  }
}

/// The values from `first` to `end`, each `step`-th of them, from a start.
struct Reading {
  std::function<int(int op)> which = [](int op) { return op; };
  std::function<double(int op)> start = neutral;
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t step = 1;
  std::function<bool(std::size_t i, std::size_t n)> counts = [](std::size_t, std::size_t) {
    return true;
  };
  std::function<double(double value)> changed = [](double value) { return value; };
  bool averages = false;
  bool first_counts_twice = false;
  bool nothing_for_none = false;  // 0 without values
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto result = call.floats("result");
    const int op = how.which(static_cast<int>(call.dim("op")));
    double want = how.start(op);
    double condition = 0;
    const std::size_t end = std::min(how.end(values.size()), values.size());
    for (std::size_t i = how.first(values.size()); i < end; i += how.step) {
      if (!how.counts(i, values.size())) continue;
      const double value = how.changed(values[i]);
      want = combined(op, want, value);
      condition += std::abs(value);
    }
    if (how.first_counts_twice && !values.empty()) want = combined(op, want, values[0]);
    if (how.averages && !values.empty()) want /= static_cast<double>(values.size());
    if (how.nothing_for_none && values.empty()) want = 0;
    result.want[0] = want;
    result.condition[0] = op == sum ? condition : op == product ? std::abs(want) : 0;
    if (!std::isfinite(result.condition[0])) result.condition[0] = 0;
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("no-partner", "without a last value that has no partner: a thread takes two or none",
           reading({.counts = [](std::size_t i, std::size_t n) { return (i | 1) < n; }}), "P13");
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.add(
        "no-partner-" + std::to_string(block),
        "without the values that have no partner " + std::to_string(block) +
            " places further on: a thread takes two or none",
        reading({.counts = [block](std::size_t i,
                                   std::size_t n) { return i / block % 2 == 1 || i + block < n; }}),
        "P13");
  }
  list.add("no-last-step",
           "for half of the lanes and half of the warps, as if the last shuffle were missing",
           reading({.counts = [](std::size_t i, std::size_t) { return (i & 33) == 0; }}));
  list.add("no-last", "without the last value",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "without the first value",
           reading({.first = [](std::size_t) { return 1; }}));
  list.add("first-twice", "if the first value counted twice",
           reading({.first_counts_twice = true}));
  list.add("last-only", "for the last value alone",
           reading({.first = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("every-second", "for every second value only", reading({.step = 2}));
  list.add("every-fourth", "for every fourth value only", reading({.step = 4}));
  list.add("fours", "for groups of four values: the rest of the division is left out",
           reading({.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  list.add("first-half", "for the first half of the values only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  list.add("power-of-two", "for the first values, up to the largest power of two in n",
           reading({.end = [](std::size_t n) { return std::bit_floor(n); }}), "P14");
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading({.end = [block](std::size_t) { return block; }}));
  }
  list.add("from-zero", "if the search or the product began with 0",
           reading({.start = [](int) { return 0.0; }}), "P52");
  list.add("from-one", "if every operation began with 1",
           reading({.start = [](int) { return 1.0; }}), "P52");
  list.add("maximum-from-flt-min", "if the maximum began with FLT_MIN, the smallest positive float",
           reading({.start = [](int op) { return op == max ? FLT_MIN : neutral(op); }}), "P52");
  list.add("from-flt-max", "if the minimum began with FLT_MAX and the maximum with -FLT_MAX",
           reading({.start = [](int op) -> double {
             return op == min ? FLT_MAX : op == max ? -FLT_MAX : neutral(op);
           }}),
           "P52");
  list.add("nothing-for-none", "if no values gave 0 for every operation",
           reading({.nothing_for_none = true}));
  list.add("always-sum", "for the sum, whatever the operation is",
           reading({.which = [](int) -> int { return sum; }}));
  list.add("extremes-exchanged", "for the maximum in place of the minimum, and the reverse",
           reading({.which = [](int op) -> int {
             return op == min ? max : op == max ? min : op;
           }}));
  list.add("no-product", "for the sum in place of the product",
           reading({.which = [](int op) -> int { return op == product ? sum : op; }}));
  list.add("magnitudes", "for the absolute values",
           reading({.changed = [](double value) { return std::abs(value); }}));
  list.add("squares", "for the squares of the values",
           reading({.changed = [](double value) { return value * value; }}));
  list.add("whole-numbers", "for values without their fractions: they are converted to int",
           reading({.changed = [](double value) { return std::trunc(value); }}), "P56");
  list.add("bfloat16", "for values rounded to bfloat16, 8 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 8); }}), "P56");
  list.add("halves", "for values rounded to half precision, 11 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 11); }}), "P56");
  list.add("mean", "divided by the number of values", reading({.averages = true}));
}
