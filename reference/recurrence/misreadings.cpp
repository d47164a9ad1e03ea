#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Value = std::uint32_t;

/// One step, from the state before it.
using Step = std::function<Value(Value a, Value state, Value b)>;

struct Reading {
  Step step = [](Value a, Value state, Value b) { return a * state + b; };
  std::function<Value(Value asked)> start = [](Value asked) { return asked; };
  std::size_t of_a = 0;  // is added to the index of a
  std::size_t block = 0;  // of which each begins anew; 0: none
  bool from_start = false;  // a block begins with `start`, not with 0
  bool exclusive = false;  // each element gets the state before it
  bool backwards = false;
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<Value>("a");
    const auto b = call.input<Value>("x");
    const auto x = call.integers("x");
    const std::size_t n = b.size();
    const Value start = how.start(static_cast<Value>(call.dim("start")));
    Value state = start;
    const auto factor = [&](std::size_t i) { return i + how.of_a < n ? a[i + how.of_a] : 0; };
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = how.backwards ? n - 1 - k : k;
      if (how.block > 0 && k > 0 && k % how.block == 0) state = how.from_start ? start : 0;
      const Value before = state;
      state = how.step(factor(i), state, b[i]);
      x[i] = how.exclusive ? before : state;
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("start-zero", "for a start of 0 in place of `start`",
           reading({.start = [](Value) { return Value{0}; }}));
  list.add("start-one", "for a start of 1 in place of `start`",
           reading({.start = [](Value) { return Value{1}; }}));
  list.add("not-scaled", "for sums without the factors: x[i - 1] + x[i]",
           reading({.step = [](Value, Value state, Value b) { return state + b; }}));
  list.add("no-summand", "for products without the summands: a[i] * x[i - 1]",
           reading({.step = [](Value a, Value state, Value) { return a * state; }}));
  list.add("summand-scaled", "for a[i] * (x[i - 1] + x[i])",
           reading({.step = [](Value a, Value state, Value b) { return a * (state + b); }}));
  list.add("roles-exchanged", "with a and x exchanged: x[i] * x[i - 1] + a[i]",
           reading({.step = [](Value a, Value state, Value b) { return b * state + a; }}));
  list.add("difference", "for a[i] * x[i - 1] - x[i]",
           reading({.step = [](Value a, Value state, Value b) { return a * state - b; }}));
  list.add("next-factor", "for the factor after the right one: a[i + 1] in place of a[i]",
           reading({.of_a = 1}));
  list.add("negative-factor", "for x[i] - a[i] * x[i - 1]",
           reading({.step = [](Value a, Value state, Value b) { return b - a * state; }}));
  list.add("exclusive", "one place too late: element i has the value that belongs in element i - 1",
           reading({.exclusive = true}), "P57");
  list.add("backwards", "from the last element to the first", reading({.backwards = true}));
  for (const std::size_t block : {32U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("own-block-" + size,
             "for blocks of " + size + " elements that get 0 from the blocks before them",
             reading({.block = block}), "P58");
    list.add("start-in-block-" + size,
             "for blocks of " + size + " elements that all begin with `start`",
             reading({.block = block, .from_start = true}), "P58");
  }
  list.add(
      "low-half", "for numbers of 16 bits",
      reading({.step = [](Value a, Value state, Value b) { return (a * state + b) & 0xFFFF; }}),
      "P16");
}
