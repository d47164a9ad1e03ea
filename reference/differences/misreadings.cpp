#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

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
  double roundings = 1;
  double central = 0;  // divisor of the difference of both neighbours; 0: there is none
  bool first_alone = false;  // element 0 is a copy whatever `alone` is
  int bits = 0;  // of the result; 0: it is not rounded
  /// The place of the other element, in place of a distance.
  std::function<Int(Int i, Int n)> partner = {};
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto result = call.floats("result");
    const auto n = static_cast<Int>(values.size());
    for (Int i = 0; i < n; ++i) {
      const double own = values[static_cast<std::size_t>(i)];
      const Int other = how.partner ? how.partner(i, n) : i + how.distance;
      double want = how.first_alone && i == 0 ? own : how.alone(own);
      const bool inside = other >= 0 && other < n;
      const bool has_other = how.has_other(i, n);
      if (has_other && inside) want = how.result(own, values[static_cast<std::size_t>(other)]);
      if (how.central > 0 && i > 0 && i + 1 < n) {
        const auto at = static_cast<std::size_t>(i);
        want = (double{values[at + 1]} - values[at - 1]) / how.central;
      }
      if (how.bits > 0) want = rounded_to(want, how.bits);
      result.want[static_cast<std::size_t>(i)] = want;
      result.condition[static_cast<std::size_t>(i)] = has_other && !inside ? kAnything
                                                      : std::isfinite(want)
                                                          ? how.roundings * std::abs(want)
                                                          : 0;
    }
  };
}

/// Groups whose first element has another one than the element before it.
Reading at_groups(Int size, std::function<Int(Int i, Int n)> other) {
  return {.partner = [size, other = std::move(other)](Int i, Int n) {
    return i > 0 && i % size == 0 ? other(i, n) : i - 1;
  }};
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
  for (const Int size : {4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const std::string text = std::to_string(size);
    // Blocks seldom have less than two warps.
    const std::string group = (size < 64 ? "each group of " : "each block of ") + text;
    const char* page = size < 16 ? "" : size == 32 ? "P38" : "P10";  // a shuffle, or a tile
    list.add("copies-in-groups-of-" + text,
             "if the first element of " + group + " were a copy, like result[0]",
             reading(groups(size)), page);
    Reading zero = groups(size);
    zero.alone = [](double) { return 0.0; };
    list.add("zeros-in-groups-of-" + text,
             "if the first element of " + group + " were 0, also result[0]", reading(zero));
    zero.first_alone = true;
    list.add(
        "zeros-after-first-" + text,
        "if the first element of " + group + " after the first were 0: it is its own neighbour",
        reading(zero), page);
    list.add("all-from-first-of-groups-of-" + text,
             "if the first element of " + group + " were subtracted from all, also from itself",
             reading({.has_other = [](Int, Int) { return true; },
                      .partner = [size](Int i, Int) { return i / size * size; }}));
    list.add("first-value-in-groups-of-" + text,
             "if values[0] were subtracted from the first element of " + group,
             reading(at_groups(size, [](Int, Int) { return 0; })), page);
    list.add("two-before-in-groups-of-" + text,
             "if values[i - 2] were subtracted from the first element of " + group,
             reading(at_groups(size, [](Int i, Int) { return i - 2; })), page);
    list.add("next-in-groups-of-" + text,
             "if values[i + 1] were subtracted from the first element of " + group,
             reading(at_groups(size, [](Int i, Int) { return i + 1; })), page);
    list.add("group-before-in-groups-of-" + text,
             "if the first element of the one before were subtracted from the first of " + group,
             reading(at_groups(size, [size](Int i, Int) { return i - size; })), page);
    list.add("own-last-in-groups-of-" + text,
             "if the own last element were subtracted from the first one of " + group,
             reading(at_groups(size, [size](Int i, Int n) { return std::min(i + size, n) - 1; })),
             page);
    list.add("from-first-of-groups-of-" + text,
             "if the first element of " + group + " were subtracted from all of its elements",
             reading({.partner = [size](Int i, Int) { return i / size * size; }}));
    list.add("last-copied-in-groups-of-" + text, "if the last element of " + group + " were a copy",
             reading({.has_other = [size](Int i, Int) { return i > 0 && i % size != size - 1; }}));
    Reading last = {.has_other = [size](Int i, Int) { return i > 0 && i % size != size - 1; }};
    last.alone = [](double) { return 0.0; };
    last.first_alone = true;
    list.add("last-zero-in-groups-of-" + text, "if the last element of " + group + " were 0",
             reading(last));
    list.add("other-distance-" + text, "for values[i] - values[i - " + text + "]",
             reading({.distance = -size, .has_other = [size](Int i, Int) { return i >= size; }}));
  }
  list.add("copy", "for a copy of the values",
           reading({.has_other = [](Int, Int) { return false; }}));
  list.add("halves", "rounded to half precision", reading({.bits = 11}), "P56");
  list.add("circular", "if values[n - 1] were subtracted from values[0]",
           reading({.has_other = [](Int, Int) { return true; },
                    .partner = [](Int i, Int n) { return i == 0 ? n - 1 : i - 1; }}),
           "P20");
  list.add("from-values-0", "for values[i] - values[0]",
           reading({.partner = [](Int, Int) { return 0; }}));
  list.add("central", "for (values[i + 1] - values[i - 1]) / 2", reading({.central = 2}));
  list.add("central-undivided", "for values[i + 1] - values[i - 1]", reading({.central = 1}));
  list.add(
      "quotients", "for values[i] / values[i - 1]",
      reading({.result = [](double own, double other) { return own / other; }, .roundings = 2}));
  list.add("relative", "for differences divided by values[i - 1]",
           reading({.result = [](double own, double other) { return (own - other) / other; },
                    .roundings = 4}));
  list.add("whole-numbers", "for differences without their fractions: they are converted to int",
           reading({.result = [](double own, double other) { return std::trunc(own - other); }}),
           "P56");
  list.add(
      "negative-lost", "with 0 in place of negative differences",
      reading({.result = [](double own, double other) { return std::max(own - other, 0.0); }}));
  list.add("last-copied", "if the last result were a copy of the last value",
           reading({.has_other = [](Int i, Int n) { return i > 0 && i + 1 < n; }}));
  list.add("last-zero", "if the last result were 0",
           reading({.has_other = [](Int i, Int n) { return i > 0 && i + 1 < n; },
                    .alone = [](double) { return 0.0; },
                    .first_alone = true}));
  list.add("odd-elements", "if every second element were a copy",
           reading({.has_other = [](Int i, Int) { return i % 2 == 1; }}));
  list.add("pairs", "if differences were formed of pairs only, and even elements were 0",
           reading({.has_other = [](Int i, Int) { return i % 2 == 1; },
                    .alone = [](double) { return 0.0; },
                    .first_alone = true}));
}
