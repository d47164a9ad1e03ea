#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Value = std::uint32_t;

Value identity(const std::string& op) {
  if (op == "and" || op == "min") return std::numeric_limits<Value>::max();
  return op == "all" ? 1 : 0;
}

Value combined(const std::string& op, Value a, Value b) {
  if (op == "and") return a & b;
  if (op == "or") return a | b;
  if (op == "xor") return a ^ b;
  if (op == "min") return std::min(a, b);
  if (op == "all") return a != 0 && b != 0 ? 1 : 0;
  if (op == "any") return a != 0 || b != 0 ? 1 : 0;
  return b != 0 ? b : a;
}

struct Reading {
  std::function<std::string(const std::string& op)> which = [](const std::string& op) {
    return op;
  };
  std::function<Value(const std::string& op)> start = identity;
  std::function<Value(const std::string& op, Value a, Value b)> step = combined;
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t stride = 1;
  bool backwards = false;
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<Value>("values");
    const auto result = call.integers("result");
    const std::string op = how.which(call.setting("op"));
    const std::size_t n = values.size();
    const std::size_t end = std::min(how.end(n), n);
    Value want = how.start(op);
    for (std::size_t i = how.first(n); i < end; i += how.stride) {
      want = how.step(op, want, values[how.backwards ? n - 1 - i : i]);
    }
    result[0] = want;
  };
}

/// With one operator in the place of another.
Reading instead(std::string op, std::string other) {
  return {.which = [op = std::move(op), other = std::move(other)](const std::string& asked) {
    return asked == op ? other : asked;
  }};
}

/// The pairs of a tree over `distance` halving to 1 keep no order: lane i and lane i + distance.
Value last_of_tree(std::size_t n, const std::function<Value(std::size_t)>& value) {
  Value found = 0;
  std::size_t best = 0;
  const auto bits = static_cast<int>(std::bit_width(std::max<std::size_t>(n, 2) - 1));
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t key = 0;  // the index with its bits in reverse order
    for (int bit = 0; bit < bits; ++bit) key |= (i >> bit & 1U) << (bits - 1 - bit);
    if (value(i) != 0 && (found == 0 || key >= best)) {
      found = value(i);
      best = key;
    }
  }
  return found;
}

void halving(const GoldenCall& call) {
  const auto values = call.input<Value>("values");
  if (call.setting("op") != "last") {
    reading({})(call);
    return;
  }
  call.integers("result")[0] =
      last_of_tree(values.size(), [&](std::size_t i) { return values[i]; });
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("from-zero", "if every operator began with 0",
           reading({.start = [](const std::string&) { return Value{0}; }}), "P52");
  list.add("from-one", "if every operator began with 1",
           reading({.start = [](const std::string&) { return Value{1}; }}), "P52");
  list.add("from-largest-int", "if `min` began with 2,147,483,647, the largest signed integer",
           reading({.start =
                        [](const std::string& op) {
                          return op == "min" ? Value{0x7FFFFFFF} : identity(op);
                        }}),
           "P52");
  list.add("backwards", "from right to left: the operands of `last` are exchanged",
           reading({.backwards = true}), "P53");
  list.add("halving",
           "for `last` in the order of a tree that halves distances, which exchanges values",
           halving, "P53");
  list.add("signed-minimum", "for a minimum of signed integers",
           reading({.step =
                        [](const std::string& op, Value a, Value b) {
                          if (op != "min") return combined(op, a, b);
                          return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a
                                                                                             : b;
                        }}),
           "P18");
  list.add("bits-of-all", "for `all` and `any` of single bits, like `and` and `or`",
           reading({.step = [](const std::string& op, Value a, Value b) {
             return op == "all" ? (a & b) : op == "any" ? (a | b) : combined(op, a, b);
           }}));
  list.add(
      "maximum", "for the maximum in place of the minimum",
      reading({.start = [](const std::string& op) { return op == "min" ? 0 : identity(op); },
               .step = [](const std::string& op, Value a,
                          Value b) { return op == "min" ? std::max(a, b) : combined(op, a, b); }}));
  list.add("sum-for-xor", "for a sum in place of `xor`",
           reading({.step = [](const std::string& op, Value a, Value b) {
             return op == "xor" ? a + b : combined(op, a, b);
           }}));
  list.add("or-for-xor", "for `or` in place of `xor`", reading(instead("xor", "or")));
  list.add("last-of-all", "for the last value of all as `last`, even if it is 0",
           reading({.step = [](const std::string& op, Value a, Value b) {
             return op == "last" ? b : combined(op, a, b);
           }}));
  list.add("no-last", "without the last value",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "without the first value",
           reading({.first = [](std::size_t) { return 1; }}));
  list.add("every-second", "for every second value only", reading({.stride = 2}));
  list.add("first-half", "for the first half of the values only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  for (const std::size_t block : {32U, 256U}) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading({.end = [block](std::size_t) { return block; }}));
  }
}
