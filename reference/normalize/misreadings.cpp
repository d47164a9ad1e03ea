#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

struct Reading {
  std::function<double(double a, double b)> above = [](double a, double b) { return a - b; };
  /// What is summed up.
  std::function<double(double a, double b)> term = [](double a, double b) {
    return (a - b) * (a - b);
  };
  std::function<double(double sum)> length = [](double sum) { return std::sqrt(sum); };
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t block = 0;  // each is divided by its own length; 0: all by one
  bool multiplies = false;
  bool averages = false;  // the sum
  double begin = 0;  // of the sum
  int bits = 0;  // of the result; 0: it is not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto unit = call.floats("unit");
    const std::size_t n = a.size();
    const std::size_t block = how.block == 0 ? std::max<std::size_t>(n, 1) : how.block;
    for (std::size_t start = 0; start < n; start += block) {
      const std::size_t stop = std::min(start + block, n);
      double sum = how.begin;
      for (std::size_t i = std::max(start, how.first(n)); i < std::min(stop, how.end(n)); ++i) {
        sum += how.term(a[i], b[i]);
      }
      if (how.averages) sum /= static_cast<double>(n);
      const double length = how.length(sum);
      for (std::size_t i = start; i < stop; ++i) {
        const double above = how.above(a[i], b[i]);
        double want = sum == 0 ? 0 : how.multiplies ? above * length : above / length;
        if (how.bits > 0) want = rounded_to(want, how.bits);
        unit.want[i] = want;
        unit.condition[i] = std::isfinite(want) ? std::abs(want) : 0;
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("other-direction", "for b - a: the direction from a to b",
           reading({.above = [](double a, double b) { return b - a; }}));
  list.add("no-root", "if the root of the sum were missing: d / s in place of d / sqrt(s)",
           reading({.length = [](double sum) { return sum; }}));
  list.add("not-divided", "for a - b, which is not divided by its length",
           reading({.length = [](double) { return 1.0; }}));
  list.add("multiplied", "if a - b were multiplied by its length", reading({.multiplies = true}));
  list.add("squared-above", "for squares: d * d / sqrt(s) in place of d / sqrt(s)",
           reading({.above = [](double a, double b) { return (a - b) * (a - b); }}));
  list.add("magnitudes", "for absolute values of the result",
           reading({.above = [](double a, double b) { return std::abs(a - b); }}));
  list.add("length-of-a", "if the length were that of a, not of a - b",
           reading({.term = [](double a, double /*b*/) { return a * a; }}));
  list.add("length-of-b", "if the length were that of b, not of a - b",
           reading({.term = [](double /*a*/, double b) { return b * b; }}));
  list.add("product", "for a sum of a[i] * b[i] in place of squares",
           reading({.term = [](double a, double b) { return a * b; },
                    .length = [](double sum) { return std::sqrt(std::abs(sum)); }}));
  list.add("sum-of-magnitudes", "divided by the sum of the absolute differences",
           reading({.term = [](double a, double b) { return std::abs(a - b); },
                    .length = [](double sum) { return sum; }}));
  list.add("sum-of-both", "for the length of a + b",
           reading({.term = [](double a, double b) { return (a + b) * (a + b); }}));
  list.add("mean", "divided by the root of the mean square, not of the sum",
           reading({.averages = true}));
  list.add("no-last", "for a sum without the last element",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "for a sum without the first element",
           reading({.first = [](std::size_t) { return 1; }}));
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("own-block-" + size,
             "for blocks of " + size + " elements, each divided by its own length",
             reading({.block = block}), "P33");
    list.add("first-block-" + size, "for a sum of the first " + size + " elements only",
             reading({.end = [block](std::size_t) { return block; }}));
  }
  list.add("sum-from-one", "if the sum began with 1 in place of 0", reading({.begin = 1}), "P52");
  list.add("halves", "rounded to half precision", reading({.bits = 11}), "P56");
}
