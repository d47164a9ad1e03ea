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
  std::function<bool(std::size_t i)> counts = [](std::size_t) { return true; };
  std::function<int(const std::string& op, std::size_t n)> times = [](const std::string&,
                                                                      std::size_t) { return 1; };
  std::size_t threads = 0;  // each takes every so manieth value, and they combine last; 0: none
  bool starts_with_first = false;  // with the first value, whatever it is
  bool nothing_for_none = false;  // 0 without values
  bool backwards = false;
  std::size_t within = 0;  // values of a block in which groups are taken from the last to the first
  std::size_t groups = 1;  // values of such a group
};

/// Which value is taken as number k, of n: all groups of `size` from the last one to the first.
std::size_t from_last_group(std::size_t k, std::size_t n, std::size_t size) {
  const std::size_t last = (n - 1) % size + 1;  // values of the last group
  if (k < last) return n - last + k;
  return n - last - ((k - last) / size + 1) * size + (k - last) % size;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<Value>("values");
    const auto result = call.integers("result");
    const std::string op = how.which(call.setting("op"));
    const std::size_t n = values.size();
    std::size_t end = std::min(how.end(n), n);
    Value want = how.starts_with_first && n > 0 ? values[0] : how.start(op);
    if (how.starts_with_first && n == 1) end = 0;
    if (how.nothing_for_none && n == 0) want = 0;
    for (std::size_t i = how.first(n); i < end; i += how.stride) {
      if (!how.counts(i)) continue;
      std::size_t at = how.backwards ? n - 1 - i : i;
      if (how.within > 0) {
        const std::size_t begin = i / how.within * how.within;
        at = begin + from_last_group(i - begin, std::min(how.within, n - begin), how.groups);
      }
      const Value value = values[at];
      for (int time = 0; time < how.times(op, i); ++time) want = how.step(op, want, value);
    }
    if (how.threads > 0 && op == "last") {
      want = 0;
      for (std::size_t thread = std::min(how.threads, n); thread-- > 0 && want == 0;) {
        for (std::size_t i = thread; i < n; i += how.threads) {
          if (values[i] != 0) want = values[i];
        }
      }
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

/// Whether a value counts that is number `t` of its block, as the block's result is in the next
/// one.
template <class Counts>
bool at_each_level(std::size_t i, std::size_t block, Counts counts) {
  while (i > 0) {
    if (!counts(i % block)) return false;
    i /= block;
  }
  return true;
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
  for (const char* op : {"and", "min", "all"}) {
    list.add(std::string(op) + "-from-zero", "if `" + std::string(op) + "` began with 0",
             reading({.start =
                          [op](const std::string& asked) {
                            return asked == op ? Value{0} : identity(asked);
                          }}),
             "P52");
  }
  list.add(
      "all-from-largest", "if `all` gave 0xffffffff, the identity of `and`, for no zero",
      reading(
          {.start = [](const std::string& op) { return op == "all" ? ~Value{0} : identity(op); },
           .step = [](const std::string& op, Value a,
                      Value b) { return op == "all" ? (b == 0 ? 0 : a) : combined(op, a, b); }}),
      "P52");
  list.add("single-value-kept", "if a single value stayed as it is; `all` and `any` make it 1 or 0",
           reading({.starts_with_first = true}));
  list.add("nothing-for-none", "if no values gave 0 for every operator",
           reading({.nothing_for_none = true}), "P52");
  list.add("and-as-all", "for `&&` in place of `&`: `and` like `all`",
           reading(instead("and", "all")));
  list.add("all-for-any", "for `all` in place of `any`", reading(instead("any", "all")));
  list.add("any-for-all", "for `any` in place of `all`: `||` where `&&` is meant",
           reading(instead("all", "any")));
  list.add("or-for-and", "for `or` in place of `and`", reading(instead("and", "or")));
  list.add("largest-for-last", "for the largest value as `last`",
           reading({.step = [](const std::string& op, Value a, Value b) {
             return op == "last" ? std::max(a, b) : combined(op, a, b);
           }}));
  list.add("unequal-for-xor", "for `!=` in place of `^`: `xor` is 0 or 1",
           reading({.step = [](const std::string& op, Value a, Value b) {
             return op == "xor" ? Value{(a != 0) != (b != 0)} : combined(op, a, b);
           }}));
  list.add("twice", "if each value took part twice, which makes `xor` 0",
           reading({.times = [](const std::string&, std::size_t) { return 2; }}));
  list.add("low-half", "for values of 16 bits",
           reading({.start = [](const std::string& op) { return identity(op) & 0xFFFF; },
                    .step = [](const std::string& op, Value a,
                               Value b) { return combined(op, a, b & 0xFFFF) & 0xFFFF; }}),
           "P16");
  list.add("low-byte", "for values of 8 bits",
           reading({.start = [](const std::string& op) { return identity(op) & 0xFF; },
                    .step = [](const std::string& op, Value a,
                               Value b) { return combined(op, a, b & 0xFF) & 0xFF; }}),
           "P16");
  list.add("low-lanes", "for lanes 0 to 15 of each warp only: the shuffle by 16 is missing",
           reading({.counts = [](std::size_t i) { return i % 32 < 16; }}));
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U}) {
    const std::string size = std::to_string(block);
    list.add("strided-" + size,
             "for `last` thread by thread, of " + size + " threads that each take every " + size +
                 "th value",
             reading({.threads = block}), "P53");
    list.add("one-of-" + size, "for one value of each " + size + " only: thread 0's",
             reading({.counts = [block](std::size_t i) { return i % block == 0; }}));
    if (block == 32) continue;
    list.add("half-of-" + size,
             "for the first half of each block of " + size +
                 " values only, as if a step of the tree were missing",
             reading({.counts = [block](std::size_t i) { return i % block < block / 2; }}));
    if (block > 64)
      list.add("first-warp-of-" + size,
               "for the first 32 of each " + size + " values only: the other warps are lost",
               reading({.counts = [block](std::size_t i) { return i % block < 32; }}));
    if (block == 256) {
      list.add("half-again-of-" + size,
               "for the first half of each block of " + size +
                   " values, and of results: a step of the tree is missing",
               reading({.counts = [block](std::size_t i) {
                 return at_each_level(i, block, [block](std::size_t t) { return t < block / 2; });
               }}));
      list.add("low-lanes-again-of-" + size,
               "for lanes 0 to 15 of each warp, in blocks of " + size +
                   " values and of results: the shuffle by 16 is missing",
               reading({.counts = [block](std::size_t i) {
                 return at_each_level(i, block, [](std::size_t t) { return t % 32 < 16; });
               }}));
    }
    list.add("last-warp-of-" + size,
             "for the last 32 of each " + size + " values only: each warp replaces the others",
             reading({.counts = [block](std::size_t i) { return i % block >= block - 32; }}));
    list.add("no-first-block-of-" + size, "without the first block of " + size + " values",
             reading({.first = [block](std::size_t) { return block; }}), "P58");
    if (block > 256) continue;
    list.add(
        "last-block-of-" + size,
        "for the last block of " + size + " values only: each block replaces the others",
        reading({.first = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}),
        "P58");
    list.add(
        "no-last-block-of-" + size, "without the last block of " + size + " values",
        reading({.end = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}),
        "P58");
    list.add("whole-blocks-of-" + size,
             "for whole blocks of " + size + " values: the rest of the division is left out",
             reading({.end = [block](std::size_t n) { return n / block * block; }}), "P2");
  }
  for (const std::size_t threads : {1024U, 2048U, 4096U, 16384U, 65536U}) {
    list.add("strided-" + std::to_string(threads),
             "for `last` thread by thread, of a grid of " + std::to_string(threads) +
                 " threads that each take values a grid apart",
             reading({.threads = threads}), "P53");
  }
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 16384U, 32768U, 65536U, 131072U}) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading({.end = [block](std::size_t) { return block; }}),
             warpgrade::is_square_of_block(block) ? "P58" : "");
  }
  list.add("lanes-exchanged",
           "for `last` with the lanes of each warp in reverse order: combine(other, own)",
           reading({.within = 32}), "P53");
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("warps-exchanged-" + size,
             "for `last` with the warps of each block of " + size +
                 " in reverse order: combine(other, own)",
             reading({.within = block, .groups = 32}), "P53");
    list.add("threads-exchanged-" + size,
             "for `last` with the values of each block of " + size +
                 " in reverse order: combine(other, own)",
             reading({.within = block}), "P53");
    if (block == 1024) continue;  // as the first 16,384 values in the visible cases
    list.add("blocks-exchanged-" + size,
             "for `last` with the blocks of " + size + " in reverse order: combine(other, own)",
             reading({.within = std::size_t{1} << 40U, .groups = block}), "P53");
  }
}
