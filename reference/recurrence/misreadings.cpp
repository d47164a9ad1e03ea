#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Value = std::uint32_t;

/// One step, from the state before it.
using Step = std::function<Value(Value a, Value state, Value b)>;

struct Reading {
  Step step = [](Value a, Value state, Value b) { return a * state + b; };
  std::function<Value(Value asked)> start = [](Value asked) { return asked; };
  bool old_state = false;  // x[i - 1] is the one before the call
  std::size_t of_a = 0;  // is added to the index of a
  std::size_t block = 0;  // of which each begins anew; 0: none
  bool from_start = false;  // a block begins with `start`, not with 0
  std::size_t starts =
      0;  // elements after which `start` is lost: they are as if it were 0; 0: none
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
    Value without_start = 0;
    const auto factor = [&](std::size_t i) {
      const std::size_t at = i + how.of_a;
      return at < n ? a[at] : how.of_a == 1 ? 0 : 1;
    };
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = how.backwards ? n - 1 - k : k;
      if (how.block > 0 && k > 0 && k % how.block == 0) state = how.from_start ? start : 0;
      if (how.old_state && k > 0) state = b[i - 1];
      if (how.starts > 0 && k == how.starts) state = without_start;
      const Value before = state;
      state = how.step(factor(i), state, b[i]);
      without_start = how.step(factor(i), without_start, b[i]);
      x[i] = how.exclusive ? before : state;
    }
  };
}

/// The map of some steps: a state becomes a * state + b.
struct Map {
  Value a = 1, b = 0;
};
using Combine = std::function<Map(Map first, Map second)>;

Map combined(Map first, Map second) {
  return {.a = second.a * first.a, .b = second.a * first.b + second.b};
}

/// Scans of blocks by doubling, whose totals are scanned in the same way.
struct Doubling {
  std::size_t block = 256;
  std::size_t first = 1;  // distance of the first step
  std::size_t end = 256;  // the last step's is smaller
  bool leaves_out_neighbor = false;  // t > d in place of t >= d
  Combine combine = combined;
  /// From which level on a block's map comes before those on its left: 0 is that of the elements, 1
  /// that of the blocks' totals. None if negative.
  int own_first = -1;
  bool in_a_row = false;  // a block begins with the state at the end of the block before
  /// What a map makes of the state before its block.
  std::function<Value(Map map, Value before)> applied = [](Map map, Value before) {
    return map.a * before + map.b;
  };
};

/// The maps of all elements up to each one: of blocks, and of their totals in the same way.
std::vector<Map> scanned(std::vector<Map> maps, const Doubling& how, int level = 0) {
  std::vector<Map> totals;
  for (std::size_t begin = 0; begin < maps.size(); begin += how.block) {
    const std::size_t end = std::min(begin + how.block, maps.size());
    for (std::size_t d = how.first; d < how.end; d *= 2) {
      for (std::size_t i = end; i-- > begin + d;) {
        if (i > begin + d || !how.leaves_out_neighbor) maps[i] = how.combine(maps[i - d], maps[i]);
      }
    }
    totals.push_back(maps[end - 1]);
  }
  if (totals.size() < 2 || how.in_a_row) return maps;
  totals = scanned(std::move(totals), how, level + 1);
  const bool own_first = how.own_first >= 0 && std::min(level, 1) == how.own_first;
  for (std::size_t i = how.block; i < maps.size(); ++i) {
    const Map& left = totals[i / how.block - 1];
    maps[i] = own_first ? how.combine(maps[i], left) : how.combine(left, maps[i]);
  }
  return maps;
}

auto reading(Doubling how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<Value>("a");
    const auto b = call.input<Value>("x");
    const auto x = call.integers("x");
    std::vector<Map> maps(b.size());
    for (std::size_t i = 0; i < maps.size(); ++i) maps[i] = {.a = a[i], .b = b[i]};
    maps = scanned(std::move(maps), how);
    auto before = static_cast<Value>(call.dim("start"));
    for (std::size_t i = 0; i < maps.size(); ++i) {
      if (how.in_a_row && i > 0 && i % how.block == 0) before = static_cast<Value>(x[i - 1]);
      x[i] = how.applied(maps[i], before);
    }
  };
}

/// Blocks that begin with the right state of another place: that before element `from(block)`.
auto joined_with(std::size_t block, std::function<std::size_t(std::size_t begin)> from) {
  return [block, from](const GoldenCall& call) {
    reading(Reading{})(call);
    const auto a = call.input<Value>("a");
    const auto b = call.input<Value>("x");
    const auto x = call.integers("x");
    const std::vector<Value> right(x.begin(), x.end());
    const auto start = static_cast<Value>(call.dim("start"));
    Value state = start;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i % block == 0) {
        const std::size_t at = std::min(from(i), b.size());
        state = at == 0 ? start : right[at - 1];
      }
      state = a[i] * state + b[i];
      x[i] = state;
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading(Reading{}));
  list.add("start-zero", "for a start of 0 in place of `start`",
           reading(Reading{.start = [](Value) { return Value{0}; }}));
  list.add("start-one", "for a start of 1 in place of `start`",
           reading(Reading{.start = [](Value) { return Value{1}; }}));
  list.add("not-scaled", "for sums without the factors: x[i - 1] + x[i]",
           reading(Reading{.step = [](Value, Value state, Value b) { return state + b; }}));
  list.add("no-summand", "for products without the summands: a[i] * x[i - 1]",
           reading(Reading{.step = [](Value a, Value state, Value) { return a * state; }}));
  list.add("summand-scaled", "for a[i] * (x[i - 1] + x[i])",
           reading(Reading{.step = [](Value a, Value state, Value b) { return a * (state + b); }}));
  list.add("roles-exchanged", "with a and x exchanged: x[i] * x[i - 1] + a[i]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return b * state + a; }}));
  list.add("difference", "for a[i] * x[i - 1] - x[i]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return a * state - b; }}));
  list.add("next-factor", "for the factor after the right one: a[i + 1] in place of a[i]",
           reading(Reading{.of_a = 1}));
  list.add("negative-factor", "for x[i] - a[i] * x[i - 1]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return b - a * state; }}));
  list.add("order-exchanged", "if the later map were applied first, combine(own, left)",
           reading(Doubling{

               .combine = [](Map first, Map second) { return combined(second, first); }}),
           "P53");
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("block-first-" + size,
             "if what comes before a block of " + size +
                 " were applied after the block's own maps: combine(own, before)",
             reading(Doubling{.block = block, .end = block, .own_first = 0}), "P53");
    if (block > 512) continue;
    list.add("totals-first-" + size,
             "if totals of more than " + size +
                 " blocks were joined in the wrong order: combine(own, before)",
             reading(Doubling{.block = block, .end = block, .own_first = 1}), "P53");
  }
  list.add("b-not-scaled",
           "for maps combined with first.b + second.b: first.b is not multiplied by second.a",
           reading(Doubling{.combine = [](Map first, Map second) {
             return Map{.a = second.a * first.a, .b = first.b + second.b};
           }}));
  list.add("start-not-scaled",
           "if `start` were added to all elements, not multiplied by the map's a",
           reading(Doubling{.applied = [](Map map, Value before) { return map.b + before; }}));
  list.add("exclusive", "one place too late: element i has the value that belongs in element i - 1",
           reading(Reading{.exclusive = true}), "P57");
  list.add("backwards", "from the last element to the first", reading(Reading{.backwards = true}));
  list.add("old-state", "for the old value of x[i - 1], as it was before the call",
           reading(Reading{.old_state = true}));
  list.add("factor-before", "for the factor before the right one: a[i - 1] in place of a[i]",
           reading(Reading{.of_a = static_cast<std::size_t>(-1)}));
  list.add("state-added", "for a[i] * x[i] + x[i - 1]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return a * b + state; }}));
  list.add("factor-added", "for a[i] + x[i - 1] + x[i]: the factor is added",
           reading(Reading{.step = [](Value a, Value state, Value b) { return a + state + b; }}));
  list.add("factor-and-summand-added", "for (a[i] + x[i]) * x[i - 1]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return (a + b) * state; }}));
  list.add("sum-scaled-by-summand", "for (a[i] + x[i - 1]) * x[i]",
           reading(Reading{.step = [](Value a, Value state, Value b) { return (a + state) * b; }}));
  list.add("bytes", "for numbers of 8 bits",
           reading(Reading{
               .step = [](Value a, Value state, Value b) { return (a * state + b) & 0xFF; }}),
           "P16");
  for (const std::size_t block : {256U, 512U}) {
    const std::string size = std::to_string(block);
    const std::string in_blocks = ", in blocks of " + size + " elements";
    list.add("b-scaled-by-first-" + size,
             "for maps combined with first.a * first.b + second.b; it is second.a" + in_blocks,
             reading(Doubling{.block = block, .end = block, .combine = [](Map first, Map second) {
                                return Map{.a = second.a * first.a,
                                           .b = first.a * first.b + second.b};
                              }}));
    list.add(
        "a-added-" + size, "for maps combined with first.a + second.a, not a product" + in_blocks,
        reading(Doubling{.block = block, .end = block, .combine = [](Map first, Map second) {
                           return Map{.a = second.a + first.a, .b = second.a * first.b + second.b};
                         }}));
    list.add("a-kept-" + size,
             "for combined maps that keep second.a: first.a is not multiplied" + in_blocks,
             reading(Doubling{.block = block, .end = block, .combine = [](Map first, Map second) {
                                return Map{.a = second.a, .b = second.a * first.b + second.b};
                              }}));
    list.add(
        "a-multiplied-first-" + size,
        "if a were multiplied before it is used for b: second.a * first.a * first.b" + in_blocks,
        reading(Doubling{.block = block, .end = block, .combine = [](Map first, Map second) {
                           const Value a = second.a * first.a;
                           return Map{.a = a, .b = a * first.b + second.b};
                         }}));
    list.add("first-step-missing-" + size, "if the step of distance 1 were missing" + in_blocks,
             reading(Doubling{.block = block, .first = 2, .end = block}));
    list.add("last-step-missing-" + size,
             "if the step of distance " + std::to_string(block / 2) + " were missing" + in_blocks,
             reading(Doubling{.block = block, .end = block / 2}));
    list.add("neighbor-left-out-" + size,
             "if thread d combined nothing in the step of distance d: t > d, in place of t >= d" +
                 in_blocks,
             reading(Doubling{.block = block, .end = block, .leaves_out_neighbor = true}));
    list.add(
        "state-not-scaled-" + size,
        "if the state before a block of " + size + " were added, not multiplied by the map's a",
        reading(Doubling{.block = block,
                         .end = block,
                         .in_a_row = true,
                         .applied = [](Map map, Value before) { return map.b + before; }}),
        "P58");
    list.add(
        "a-and-b-exchanged-" + size, "for b * state + a of each element's map" + in_blocks,
        reading(Doubling{
            .block = block, .end = block, .in_a_row = true, .applied = [](Map map, Value before) {
              return map.b * before + map.a;
            }}));
    list.add("own-end-" + size,
             "for blocks of " + size + " elements that begin with the state at their own end",
             joined_with(block, [block](std::size_t begin) { return begin + block; }), "P58");
    list.add("end-before-last-" + size,
             "for blocks of " + size + " elements that begin one block too early in the states",
             joined_with(block,
                         [block](std::size_t begin) { return begin < block ? 0 : begin - block; }),
             "P58");
    list.add("first-end-" + size,
             "for blocks of " + size + " elements that all begin with the state after block 0",
             joined_with(block, [block](std::size_t begin) { return begin == 0 ? 0 : block; }),
             "P58");
  }
  for (const std::size_t block : {4U, 8U, 16U, 32U, 128U, 256U, 512U, 1024U, 2048U, 65536U}) {
    const std::string size = std::to_string(block);
    list.add("own-block-" + size,
             "for blocks of " + size + " elements that get 0 from the blocks before them",
             reading(Reading{.block = block}), "P58");
    if (block >= 32 && block <= 1024) {
      list.add(
          "start-lost-after-" + size,
          "if `start` counted in the first " + size +
              " elements only: later blocks take b of the maps before them, and not a * start + b",
          reading(Reading{.starts = block}), "P58");
    }
    list.add("start-in-block-" + size,
             "for blocks of " + size + " elements that all begin with `start`",
             reading(Reading{.block = block, .from_start = true}), "P58");
  }
  list.add("low-half", "for numbers of 16 bits",
           reading(Reading{
               .step = [](Value a, Value state, Value b) { return (a * state + b) & 0xFFFF; }}),
           "P16");
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    const std::string blocks =
        block == 32 ? "for warps of 32 elements" : "for blocks of " + size + " elements";
    list.add(
        "own-total-" + size,
        blocks +
            " that begin with the state at their own end, but for the first one: the sum "
            "of totals includes their own",
        joined_with(block, [block](std::size_t begin) { return begin == 0 ? 0 : begin + block; }),
        "P58");
    if (block == 256 || block == 512) continue;
    list.add("end-before-last-" + size, blocks + " that begin one block too early in the states",
             joined_with(block,
                         [block](std::size_t begin) { return begin < block ? 0 : begin - block; }),
             "P58");
    list.add("first-end-" + size, blocks + " that all begin with the state after the first of them",
             joined_with(block, [block](std::size_t begin) { return begin == 0 ? 0 : block; }),
             "P58");
  }
}
