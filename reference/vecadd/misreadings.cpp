#include <cmath>
#include <cstddef>
#include <functional>

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
  bool first_of_b = false;  // for all elements
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto c = call.floats("c");
    for (std::size_t i = 0; i < c.want.size(); ++i) {
      const std::size_t at_a = i + static_cast<std::size_t>(how.step_a);
      std::size_t at_b = i + static_cast<std::size_t>(how.step_b);
      if (how.reversed) at_b = b.size() - 1 - i;
      if (how.first_of_b) at_b = 0;
      if (at_a >= a.size() || at_b >= b.size()) {
        c.want[i] = 0;
        c.condition[i] = kAnything;
        continue;
      }
      c.want[i] = how.result(a[at_a], b[at_b]);
      c.condition[i] = std::isfinite(c.want[i]) ? std::abs(c.want[i]) : 0;
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
  list.add("whole-numbers", "for a and b without their fractions: they are converted to int",
           reading({.result = [](double a, double b) { return std::trunc(a) + std::trunc(b); }}),
           "P56");
  list.add("halves", "rounded to half precision",
           reading({.result = [](double a, double b) { return rounded_to(a + b, 11); }}), "P56");
}
