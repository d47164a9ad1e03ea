#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>

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
  /// Whether element i counts in the sum.
  std::function<bool(std::size_t i, std::size_t n)> counts = {};
  /// Elements whose terms are summed up first, and what becomes of their sum; 0: none.
  std::size_t group = 0;
  std::function<double(double sum)> of_group = {};
  bool takes_largest = false;  // of the groups' sums, or of terms if there are none
  std::size_t largest_of = 0;  // elements of which only the largest term counts; 0: none
  double power = 0;  // of n, by which the result is multiplied
  double roundings = 1;  // of the sum: more additions than n
};

/// The terms of the elements from `start` to `stop`, summed up.
double sum_of(const Reading& how, std::span<const float> a, std::span<const float> b,
              std::size_t start, std::size_t stop) {
  const std::size_t n = a.size();
  const std::size_t end = std::min(stop, how.end(n));
  double sum = how.begin;
  double of_group = 0;
  for (std::size_t i = std::max(start, how.first(n)); i < end; ++i) {
    const double term = how.term(a[i], b[i]);
    const std::size_t group = std::max<std::size_t>({how.group, how.largest_of, 1});
    if (how.largest_of > 0) {
      of_group = std::max(of_group, term);
    } else if (!how.counts || how.counts(i, n)) {
      of_group += term;
    }
    if (i % group != group - 1 && i + 1 < end) continue;
    const double value = how.of_group ? how.of_group(of_group) : of_group;
    sum = how.takes_largest ? std::max(sum, value) : sum + value;
    of_group = 0;
  }
  return sum;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto unit = call.floats("unit");
    const std::size_t n = a.size();
    const std::size_t block = how.block == 0 ? std::max<std::size_t>(n, 1) : how.block;
    for (std::size_t start = 0; start < n; start += block) {
      const std::size_t stop = std::min(start + block, n);
      double sum = sum_of(how, a, b, start, stop);
      if (how.averages) sum /= static_cast<double>(n);
      const double length = how.length(sum) / std::pow(static_cast<double>(n), how.power);
      for (std::size_t i = start; i < stop; ++i) {
        const double above = how.above(a[i], b[i]);
        double want = sum == 0 ? 0 : how.multiplies ? above * length : above / length;
        if (how.bits > 0) want = rounded_to(want, how.bits);
        unit.want[i] = want;
        unit.condition[i] = std::isfinite(want) ? how.roundings * std::abs(want) : 0;
      }
    }
  };
}

/// Blocks that are divided by the length of what comes before them, with their own elements or
/// without.
auto by_parts(std::size_t block, bool with_own) {
  return [=](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto unit = call.floats("unit");
    const std::size_t n = a.size();
    double sum = 0;
    double before = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % block == 0) {
        before = sum;
        for (std::size_t k = i; k < std::min(i + block, n); ++k) {
          sum += (double{a[k]} - b[k]) * (double{a[k]} - b[k]);
        }
      }
      const double length = std::sqrt(with_own ? sum : before);
      const double want = length == 0 ? 0 : (double{a[i]} - b[i]) / length;
      unit.want[i] = want;
      unit.condition[i] = std::isfinite(want) ? std::abs(want) : 0;
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
  const auto plain = [](double sum) { return sum; };
  list.add("largest", "divided by the largest of the absolute differences",
           reading({.term = [](double a, double b) { return std::abs(a - b); },
                    .length = plain,
                    .takes_largest = true}));
  list.add("not-squared", "for the root of the sum of the differences, which are not squared",
           reading({.term = [](double a, double b) { return a - b; }}));
  list.add("sum-of-differences", "divided by the sum of the differences",
           reading({.term = [](double a, double b) { return a - b; }, .length = plain}));
  list.add("difference-of-squares", "for the root of the sum of a[i] * a[i] - b[i] * b[i]",
           reading({.term = [](double a, double b) { return a * a - b * b; }}));
  list.add("sum-of-squares", "for the root of the sum of a[i] * a[i] + b[i] * b[i]",
           reading({.term = [](double a, double b) { return a * a + b * b; }}));
  list.add("fourth-root", "if the root of the sum were taken twice",
           reading({.length = [](double sum) { return std::sqrt(std::sqrt(sum)); }}));
  list.add("squared-length", "divided by s * s in place of sqrt(s)",
           reading({.length = [](double sum) { return sum * sum; }}));
  list.add("over-n", "if the results were also divided by n", reading({.power = -1}));
  list.add("times-n", "if the results were also multiplied by n", reading({.power = 1}));
  list.add("mean-of-squares", "divided by the mean of the squares, without a root",
           reading({.length = plain, .averages = true}));
  list.add("a-above", "for a / sqrt(s): b is not subtracted above",
           reading({.above = [](double a, double) { return a; }}));
  list.add("b-above", "for b / sqrt(s) in place of (a - b) / sqrt(s)",
           reading({.above = [](double, double b) { return b; }}));
  list.add("sum-above", "for (a + b) / sqrt(s) in place of (a - b) / sqrt(s)",
           reading({.above = [](double a, double b) { return a + b; }}));
  list.add("twice", "if every square were counted twice",
           reading({.term = [](double a, double b) { return 2 * (a - b) * (a - b); }}));
  list.add("squares-of-int", "for squares without their fractions: they are converted to int",
           reading({.term = [](double a, double b) { return std::trunc((a - b) * (a - b)); }}),
           "P56");
  list.add("fours", "for groups of four elements in the sum: the rest of the division is left out",
           reading({.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  list.add("even", "for a sum of every second element: the tree's step with distance 1 is missing",
           reading({.counts = [](std::size_t i, std::size_t) { return i % 2 == 0; }}));
  for (const std::size_t group : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    const std::string of =
        (group == 32 ? "each warp" : "each block of ") + (group == 32 ? "" : std::to_string(group));
    const auto add = [&](const std::string& id, const std::string& says, Reading how,
                         const char* pitfall = "") {
      list.add(id + "-" + std::to_string(group), says, reading(std::move(how)), pitfall);
    };
    add("first-half-of", "for a sum of the first half of " + of + ": a step of the tree is missing",
        {.counts = [group](std::size_t i, std::size_t) { return i % group < group / 2; }});
    add("first-of", "for a sum of the first element of " + of + " only",
        {.counts = [group](std::size_t i, std::size_t) { return i % group == 0; }});
    add("roots-of", "if the roots of the sums of " + of + " were added, in place of these sums",
        {.length = plain, .group = group, .of_group = [](double sum) { return std::sqrt(sum); }});
    add("squares-of", "if the sum of " + of + " were squared before it is added",
        {.group = group, .of_group = [](double sum) { return sum * sum; }});
    add("squared-differences-of", "if the differences of " + of + " were added and then squared",
        {.term = [](double a, double b) { return a - b; },
         .group = group,
         .of_group = [](double sum) { return sum * sum; }});
    add("added-by-all-of",
        "if all " + std::to_string(group) + " threads of a " + (group == 32 ? "warp" : "block") +
            " added its sum, not one of them: the sum is " + std::to_string(group) +
            " times too large",
        {.length = [group](double sum) { return std::sqrt(static_cast<double>(group) * sum); },
         .roundings = static_cast<double>(group)});
    add("largest-of", "for the largest sum of " + of + " in place of all of them together",
        {.group = group, .takes_largest = true});
    add("sum-of-largest", "for the sum of the largest square of " + of, {.largest_of = group});
    // No visible case tells larger blocks apart.
    if (group > 256) continue;
    add("no-first-of", "for a sum without the first element of " + of,
        {.counts = [group](std::size_t i, std::size_t) { return i % group != 0; }});
    add("no-last-of", "for a sum without the last element of " + of,
        {.counts = [group](std::size_t i, std::size_t) { return i % group != group - 1; }});
    if (group == 32) continue;
    if (group > 64)
      add("first-warp-of", "for a sum of the first warp of " + of + " only",
          {.counts = [group](std::size_t i, std::size_t) { return i % group < 32; }});
    add("last-block", "for a sum of the last block of " + std::to_string(group) + " only",
        {.first = [group](std::size_t n) { return n == 0 ? 0 : (n - 1) / group * group; }});
    add("whole-blocks",
        "for a sum of whole blocks of " + std::to_string(group) +
            ": the rest of the division is left out",
        {.end = [group](std::size_t n) { return n / group * group; }}, "P2");
  }
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("sum-so-far-" + size,
             "if each block of " + size +
                 " elements were divided by the length up to itself: it reads the sum before all "
                 "blocks have added",
             by_parts(block, true), "P58");
    list.add("sum-before-" + size,
             "if each block of " + size + " elements were divided by the length of those before it",
             by_parts(block, false), "P58");
    if (block == 1024) continue;  // the same as of 512 in the visible cases
    list.add(
        "no-last-block-" + size,
        "for a sum without the last block of " + size + " elements, whole or not",
        reading({.end = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}),
        "P58");
  }
}
