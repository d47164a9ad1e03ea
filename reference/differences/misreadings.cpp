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

struct Reading {
  std::function<double(double own, double other)> result = [](double own, double other) {
    return own - other;
  };
  Int distance = -1;  // of the other element
  /// Whether element i has another one; otherwise its result is `alone`.
  std::function<bool(Int i, Int n)> has_other = [](Int i, Int) { return i > 0; };
  std::function<double(double own)> alone = [](double own) { return own; };
  int bits = 0;  // of the result; 0: it is not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto result = call.floats("result");
    const auto n = static_cast<Int>(values.size());
    for (Int i = 0; i < n; ++i) {
      const double own = values[static_cast<std::size_t>(i)];
      const Int other = i + how.distance;
      double want = how.alone(own);
      const bool inside = other >= 0 && other < n;
      const bool has_other = how.has_other(i, n);
      if (has_other && inside) want = how.result(own, values[static_cast<std::size_t>(other)]);
      if (how.bits > 0) want = rounded_to(want, how.bits);
      result.want[static_cast<std::size_t>(i)] = want;
      result.condition[static_cast<std::size_t>(i)] = has_other && !inside  ? kAnything
                                                      : std::isfinite(want) ? std::abs(want)
                                                                            : 0;
    }
  };
}

/// Groups whose first element has none before it.
Reading groups(Int size) {
  return {.has_other = [size](Int i, Int) { return i % size != 0; }};
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("other-sign", "for values[i - 1] - values[i]",
           reading({.result = [](double own, double other) { return other - own; }}));
  list.add("sums", "for values[i] + values[i - 1]",
           reading({.result = [](double own, double other) { return own + other; }}));
  list.add("magnitudes", "for absolute differences",
           reading({.result = [](double own, double other) { return std::abs(own - other); }}));
  list.add("means", "divided by two",
           reading({.result = [](double own, double other) { return (own - other) / 2; }}));
  list.add("next", "for values[i] - values[i + 1]",
           reading({.distance = 1, .has_other = [](Int i, Int n) { return i + 1 < n; }}));
  list.add("next-minus-own", "for values[i + 1] - values[i]",
           reading({.result = [](double own, double other) { return other - own; },
                    .distance = 1,
                    .has_other = [](Int i, Int n) { return i + 1 < n; }}));
  list.add("two-before", "for values[i] - values[i - 2]",
           reading({.distance = -2, .has_other = [](Int i, Int) { return i > 1; }}));
  list.add(
      "squares", "for the squares of the differences",
      reading({.result = [](double own, double other) { return (own - other) * (own - other); }}));
  list.add("first-zero", "if result[0] were 0; it is values[0]",
           reading({.alone = [](double) { return 0.0; }}), "P20");
  list.add("first-negative", "if result[0] were -values[0]",
           reading({.alone = [](double own) { return -own; }}), "P20");
  for (const Int size : {16, 32, 64, 128, 256, 512, 1024}) {
    const std::string text = std::to_string(size);
    // Blocks seldom have less than two warps.
    const std::string group = (size < 64 ? "each group of " : "each block of ") + text;
    list.add("copies-in-groups-of-" + text,
             "if the first element of " + group + " were a copy, like result[0]",
             reading(groups(size)), size == 32 ? "P38" : "P10");
    Reading zero = groups(size);
    zero.alone = [](double) { return 0.0; };
    list.add("zeros-in-groups-of-" + text, "if the first element of " + group + " were 0",
             reading(zero));
  }
  list.add("copy", "for a copy of the values",
           reading({.has_other = [](Int, Int) { return false; }}));
  list.add("halves", "rounded to half precision", reading({.bits = 11}), "P56");
}
