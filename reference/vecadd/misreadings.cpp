#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

/// c[i] as a function of one element of each input: element i + step_a of a, i + step_b of b.
struct Reading {
  std::function<double(double, double)> result = [](double a, double b) { return a + b; };
  int step_a = 0;
  int step_b = 0;
  bool reversed = false;  // b is read from its end
  bool two_sums = false;  // which are rounded one after the other
  bool first_of_b = false;  // for all elements
  /// Which element of a and of b is read for element i of n.
  std::function<std::size_t(std::size_t i, std::size_t n)> from_a = [](std::size_t i, std::size_t) {
    return i;
  };
  std::function<std::size_t(std::size_t i, std::size_t n)> from_b = [](std::size_t i, std::size_t) {
    return i;
  };
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto c = call.floats("c");
    for (std::size_t i = 0; i < c.want.size(); ++i) {
      const std::size_t at_a = how.from_a(i, a.size()) + static_cast<std::size_t>(how.step_a);
      std::size_t at_b = how.from_b(i, b.size()) + static_cast<std::size_t>(how.step_b);
      if (how.reversed) at_b = b.size() - 1 - i;
      if (how.first_of_b) at_b = 0;
      if (at_a >= a.size() || at_b >= b.size()) {
        c.want[i] = 0;
        c.condition[i] = kAnything;
        continue;
      }
      c.want[i] = how.result(a[at_a], b[at_b]);
      c.condition[i] = std::isfinite(c.want[i]) ? std::abs(c.want[i]) : 0;
      if (how.two_sums) c.condition[i] += std::abs(double{a[at_a]} + b[at_b]);
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("difference", "for a - b",
           reading({.result = [](double a, double b) { return a - b; }}));
  list.add("other-difference", "for b - a",
           reading({.result = [](double a, double b) { return b - a; }}));
  list.add("product", "for a * b", reading({.result = [](double a, double b) { return a * b; }}));
  list.add("mean", "for the mean (a + b) / 2",
           reading({.result = [](double a, double b) { return (a + b) / 2; }}));
  list.add("a-alone", "for a alone: b is not added",
           reading({.result = [](double a, double /*b*/) { return a; }}));
  list.add("b-alone", "for b alone: a is not added",
           reading({.result = [](double /*a*/, double b) { return b; }}));
  list.add("a-twice", "for a + a: the second operand is a again",
           reading({.result = [](double a, double /*b*/) { return a + a; }}));
  list.add("b-twice", "for b + b: the first operand is b again",
           reading({.result = [](double /*a*/, double b) { return b + b; }}));
  list.add("largest", "for the larger one of a and b",
           reading({.result = [](double a, double b) { return a > b ? a : b; }}));
  list.add("magnitude", "for the absolute value of a + b",
           reading({.result = [](double a, double b) { return std::abs(a + b); }}));
  list.add("next-of-a", "for a read one element too far: a[i + 1] + b[i]", reading({.step_a = 1}));
  list.add("next-of-b", "for b read one element too far: a[i] + b[i + 1]", reading({.step_b = 1}));
  list.add("before-of-a", "for a read one element too early: a[i - 1] + b[i]",
           reading({.step_a = -1}));
  list.add("before-of-b", "for b read one element too early: a[i] + b[i - 1]",
           reading({.step_b = -1}));
  list.add("b-reversed", "for b read from its end: a[i] + b[n - 1 - i]",
           reading({.reversed = true}));
  list.add("first-of-b", "for b[0] in place of b[i]: a[i] + b[0]", reading({.first_of_b = true}));
  const auto first = [](std::size_t, std::size_t) -> std::size_t { return 0; };
  const auto last = [](std::size_t, std::size_t n) { return n - 1; };
  list.add("first-of-a", "for a[0] in place of a[i]: a[0] + b[i]", reading({.from_a = first}));
  list.add("last-of-b", "for b[n - 1] in place of b[i]: a[i] + b[n - 1]",
           reading({.from_b = last}));
  for (const std::size_t block : {64U, 128U, 256U}) {
    const std::string size = std::to_string(block);
    const auto own = [block](std::size_t i, std::size_t) { return i % block; };
    list.add("a-in-block-" + size,
             "for a[threadIdx.x] in place of a[i], in blocks of " + size + " threads",
             reading({.from_a = own}));
    list.add("b-in-block-" + size,
             "for b[threadIdx.x] in place of b[i], in blocks of " + size + " threads",
             reading({.from_b = own}));
    list.add("both-in-block-" + size,
             "if all blocks of " + size + " threads read the elements of the first one",
             reading({.from_a = own, .from_b = own}));
  }
  for (const std::size_t parts : {2U, 4U, 8U}) {
    const std::string count = std::to_string(parts);
    const auto own = [parts](std::size_t i, std::size_t n) {
      return i % ((n + parts - 1) / parts);
    };
    list.add("b-in-part-" + count,
             "if each of the " + count + " parts of a were added to the first part of b",
             reading({.from_b = own}));
    list.add("both-in-part-" + count, "if all " + count + " parts were computed from the first one",
             reading({.from_a = own, .from_b = own}));
  }
  const auto first_of_four = [](std::size_t i, std::size_t) { return i / 4 * 4; };
  list.add("x-of-a", "if .x of a's float4 stood for all four elements",
           reading({.from_a = first_of_four}));
  list.add("x-of-b", "if .x of b's float4 stood for all four elements",
           reading({.from_b = first_of_four}));
  list.add("x-of-both", "if .x of both float4 stood for all four elements",
           reading({.from_a = first_of_four, .from_b = first_of_four}));
  for (const std::size_t at : {1U, 2U, 3U}) {
    const auto before = [at](std::size_t i, std::size_t) { return i % 4 == at ? i - 1 : i; };
    const std::string part(1, "xyzw"[at]);
    const std::string wrong(1, "xyzw"[at - 1]);
    const std::string instead = " were read in place of ." + part;
    list.add(wrong + "-for-" + part + "-of-a", "if ." + wrong + " of a's float4" + instead,
             reading({.from_a = before}));
    list.add(wrong + "-for-" + part + "-of-b", "if ." + wrong + " of b's float4" + instead,
             reading({.from_b = before}));
  }
  list.add("a-added-twice", "if a were added twice: a + b + a",
           reading({.result = [](double a, double b) { return a + b + a; }, .two_sums = true}));
  list.add("b-added-twice", "if b were added twice: a + b + b",
           reading({.result = [](double a, double b) { return a + b + b; }, .two_sums = true}));
  list.add("smallest", "for the smaller one of a and b",
           reading({.result = [](double a, double b) { return a < b ? a : b; }}));
  list.add("magnitudes", "for the sum of absolute values, |a| + |b|",
           reading({.result = [](double a, double b) { return std::abs(a) + std::abs(b); }}));
  list.add("whole-sum", "without its fraction: the sum is converted to int",
           reading({.result = [](double a, double b) { return std::trunc(a + b); }}), "P56");
  list.add("whole-numbers", "for a and b without their fractions: they are converted to int",
           reading({.result = [](double a, double b) { return std::trunc(a) + std::trunc(b); }}),
           "P56");
  list.add("halves", "rounded to half precision",
           reading({.result = [](double a, double b) { return rounded_to(a + b, 11); }}), "P56");
}
