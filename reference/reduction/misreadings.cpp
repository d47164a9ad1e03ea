#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

enum Op { sum, min, max, product };

double neutral(int op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return op == sum ? 0 : op == min ? kInfinity : op == max ? -kInfinity : 1;
}

double combined(int op, double a, double b) {
  switch (op) {
    case sum:
      return a + b;
    case min:
      return std::min(a, b);
    case max:
      return std::max(a, b);
    default:
      return a * b;
  }
}

/// The values from `first` to `end`, each `step`-th of them, from a start.
struct Reading {
  std::function<int(int op)> which = [](int op) { return op; };
  std::function<double(int op)> start = neutral;
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t step = 1;
  std::function<bool(std::size_t i, std::size_t n)> counts = [](std::size_t, std::size_t) {
    return true;
  };
  int times = 1;  // that each value counts
  /// How often value i of n counts in sums and products.
  std::function<double(std::size_t i, std::size_t n)> weight = {};
  std::function<double(double value)> changed = [](double value) { return value; };
  bool averages = false;
  bool first_counts_twice = false;
  bool nothing_for_none = false;  // 0 without values
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto result = call.floats("result");
    const int op = how.which(static_cast<int>(call.dim("op")));
    double want = how.start(op);
    double condition = 0;
    const std::size_t end = std::min(how.end(values.size()), values.size());
    for (std::size_t i = how.first(values.size()); i < end; i += how.step) {
      if (!how.counts(i, values.size())) continue;
      double value = how.changed(values[i]);
      const double weight = how.weight ? how.weight(i, values.size()) : 1;
      if (weight == 0) continue;
      if (op == sum) value *= weight;
      if (op == product && weight > 1) value = std::pow(value, weight);
      for (int time = 0; time < how.times; ++time) {
        want = combined(op, want, value);
        condition += std::abs(value);
      }
    }
    if (how.first_counts_twice && !values.empty()) want = combined(op, want, values[0]);
    if (how.averages && !values.empty()) want /= static_cast<double>(values.size());
    if (how.nothing_for_none && values.empty()) want = 0;
    result.want[0] = want;
    if (!std::isfinite(condition)) condition = 0;
    result.condition[0] = op == sum ? condition : op == product ? std::abs(want) : 0;
    if ((how.times > 1 || how.weight) && std::abs(want) > 0x1p24)
      result.condition[0] = warpgrade::kAnything;
  };
}

/// As a conversion to int leaves it.
double whole(double value) {
  return std::trunc(std::clamp(value, -0x1p31, 0x1p31));
}

/// Blocks that combine their values and are then combined themselves.
struct Blocks {
  std::size_t size;
  bool adds = false;  // blocks are added, whatever the operation is
  bool all_read_the_first = false;  // every block reads the values of block 0
  bool first_half_twice = false;  // a thread's second value is its first one again
  bool whole = false;  // results of blocks are converted to int
  bool again = false;  // results are combined by such blocks, too
};

auto reading(Blocks how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto result = call.floats("result");
    const std::size_t n = values.size();
    const int op = static_cast<int>(call.dim("op"));
    const int last = how.adds ? int{sum} : op;
    std::vector<double> level(values.begin(), values.end());
    double condition = 0;
    do {
      const std::size_t count = level.size();
      std::vector<double> results;
      for (std::size_t begin = 0; begin < count; begin += how.size) {
        double mine = neutral(op);
        for (std::size_t i = begin; i < std::min(begin + how.size, count); ++i) {
          const bool again = how.first_half_twice && i - begin >= how.size / 2;
          const std::size_t at = how.all_read_the_first ? i - begin : again ? i - how.size / 2 : i;
          mine = combined(op, mine, level[at]);
        }
        results.push_back(how.whole ? whole(mine) : mine);
      }
      level = std::move(results);
    } while (how.again && level.size() > 1);
    double want = neutral(last);
    for (const double value : level) {
      want = combined(last, want, value);
      condition += std::abs(value);
    }
    for (const double value : values) condition += std::abs(value);
    if (n == 0) want = how.whole ? whole(neutral(op)) : neutral(op);
    result.want[0] = want;
    if (!std::isfinite(condition)) condition = 0;
    result.condition[0] = op == sum ? condition : op == product || how.adds ? std::abs(want) : 0;
    // Whole numbers above 2^24 are rounded, in the order of the program.
    if (std::abs(want) > 0x1p24) result.condition[0] = warpgrade::kAnything;
  };
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

/// The smaller or larger one as integers that have the floats' bits.
void by_bits(const GoldenCall& call) {
  const auto values = call.input<float>("values");
  reading(Reading{})(call);
  const auto op = call.dim("op");
  if (values.empty() || (op != min && op != max)) return;
  float found = values[0];
  for (const float value : values) {
    const bool less = std::bit_cast<std::int32_t>(value) < std::bit_cast<std::int32_t>(found);
    const bool more = std::bit_cast<std::int32_t>(value) > std::bit_cast<std::int32_t>(found);
    if (op == min ? less : more) found = value;
  }
  call.floats("result").want[0] = found;
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading(Reading{}));
  list.add("no-partner", "without a last value that has no partner: a thread takes two or none",
           reading({.counts = [](std::size_t i, std::size_t n) { return (i | 1) < n; }}), "P13");
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.add(
        "no-partner-" + std::to_string(block),
        "without the values that have no partner " + std::to_string(block) +
            " places further on: a thread takes two or none",
        reading({.counts = [block](std::size_t i,
                                   std::size_t n) { return i / block % 2 == 1 || i + block < n; }}),
        "P13");
  }
  list.add("no-last-step",
           "for half of the lanes and half of the warps, as if the last shuffle were missing",
           reading({.counts = [](std::size_t i, std::size_t) { return (i & 33) == 0; }}));
  list.add("no-last", "without the last value",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "without the first value",
           reading({.first = [](std::size_t) { return 1; }}));
  list.add("first-twice", "if the first value counted twice",
           reading({.first_counts_twice = true}));
  list.add("last-only", "for the last value alone",
           reading({.first = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("every-second", "for every second value only", reading({.step = 2}));
  list.add("every-fourth", "for every fourth value only", reading({.step = 4}));
  list.add("fours", "for groups of four values: the rest of the division is left out",
           reading({.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  list.add("first-half", "for the first half of the values only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  list.add("power-of-two", "for the first values, up to the largest power of two in n",
           reading({.end = [](std::size_t n) { return std::bit_floor(n); }}), "P14");
  for (std::size_t block = 32; block <= 1U << 19; block *= 2) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading({.end = [block](std::size_t) { return block; }}),
             warpgrade::is_square_of_block(block) ? "P58" : "");
  }
  for (const std::size_t block : {64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add(
        "half-blocks-" + size,
        "for the first half of each block of " + size +
            " values only, as if a step of the tree were missing",
        reading({.counts = [block](std::size_t i, std::size_t) { return i % block < block / 2; }}));
    list.add("half-blocks-again-" + size,
             "for the first half of each block of " + size +
                 " values, and of results: a step of the tree is missing",
             reading({.counts = [block](std::size_t i, std::size_t) {
               return at_each_level(i, block, [block](std::size_t t) { return t < block / 2; });
             }}));
    list.add("low-lanes-again-" + size,
             "for lanes 0 to 15 of each warp, in blocks of " + size +
                 " values and of results: the shuffle by 16 is missing",
             reading({.counts = [block](std::size_t i, std::size_t) {
               return at_each_level(i, block, [](std::size_t t) { return t % 32 < 16; });
             }}));
    if (block > 64) {
      list.add("first-warps-" + size,
               "for the first 32 of each " + size + " values only: the other warps are lost",
               reading({.counts = [block](std::size_t i, std::size_t) { return i % block < 32; }}));
      list.add("last-warps-" + size,
               "for the last 32 of each " + size + " values only: each warp replaces the others",
               reading({.counts = [block](std::size_t i, std::size_t) {
                 return i % block >= block - 32;
               }}));
    }
    list.add("one-of-" + size, "for one value of each block of " + size + " only: thread 0's",
             reading({.counts = [block](std::size_t i, std::size_t) { return i % block == 0; }}));
    if (block <= 256) {
      list.add("whole-blocks-" + size,
               "for whole blocks of " + size + " values: the rest of the division is left out",
               reading({.end = [block](std::size_t n) { return n / block * block; }}), "P2");
      list.add(
          "no-last-block-" + size, "without the last block of " + size + " values",
          reading({.end = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}),
          "P58");
    }
    list.add("no-first-block-" + size, "without the first block of " + size + " values",
             reading({.first = [block](std::size_t) { return block; }}), "P58");
    list.add(
        "last-block-" + size,
        "for the last block of " + size + " values only: each block replaces the others",
        reading({.first = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}),
        "P58");
    if (block <= 256) {
      list.add("blocks-added-" + size,
               "if the results of blocks of " + size + " values were added, whatever the operation",
               reading(Blocks{.size = block, .adds = true}));
    }
    list.add("same-block-" + size,
             "if every block of " + size + " threads read the values of the first block",
             reading(Blocks{.size = block, .all_read_the_first = true}));
    if (block < 1024) {
      list.add("same-block-again-" + size,
               "if every block of " + size +
                   " threads read the values, and then the results, of the first block",
               reading(Blocks{.size = block, .all_read_the_first = true, .again = true}));
    }
    for (const bool again : {false, true}) {
      if (again && block == 1024) continue;
      list.add("first-half-twice-" + size + (again ? "-again" : ""),
               "if a thread's second value were its first one again, in blocks of " + size +
                   (again ? " values and of results" : " values"),
               reading(Blocks{.size = block, .first_half_twice = true, .again = again}));
    }
  }
  for (const std::size_t threads : {128U, 256U, 512U}) {
    for (const std::size_t values : {threads, 2 * threads}) {
      list.add("first-warp-" + std::to_string(threads) + "-of-" + std::to_string(values),
               "for the first warp of each block of " + std::to_string(threads) +
                   " threads only, which take " + std::to_string(values) + " values",
               reading({.counts = [=](std::size_t i, std::size_t) {
                 return at_each_level(i, values, [=](std::size_t t) { return t % threads < 32; });
               }}));
    }
  }
  list.add("whole-result", "if each block's result were converted to int",
           reading(Blocks{.size = 256, .whole = true, .again = true}), "P56");
  list.add("low-lanes", "for lanes 0 to 15 of each warp only: the shuffle by 16 is missing",
           reading({.counts = [](std::size_t i, std::size_t) { return i % 32 < 16; }}));
  list.add("first-lanes", "for lane 0 of each warp only: its shuffles are missing",
           reading({.counts = [](std::size_t i, std::size_t) { return i % 32 == 0; }}));
  list.add("all-twice", "if every value counted twice", reading({.times = 2}));
  list.add("from-zero", "if the search or the product began with 0",
           reading({.start = [](int) { return 0.0; }}), "P52");
  list.add("minimum-from-zero", "if the search for the minimum began with 0",
           reading({.start = [](int op) { return op == min ? 0.0 : neutral(op); }}), "P52");
  list.add("maximum-from-zero", "if the search for the maximum began with 0",
           reading({.start = [](int op) { return op == max ? 0.0 : neutral(op); }}), "P52");
  list.add("product-from-zero", "if the product began with 0",
           reading({.start = [](int op) { return op == product ? 0.0 : neutral(op); }}), "P52");
  list.add("from-one", "if every operation began with 1",
           reading({.start = [](int) { return 1.0; }}), "P52");
  list.add("maximum-from-flt-min", "if the maximum began with FLT_MIN, the smallest positive float",
           reading({.start = [](int op) { return op == max ? FLT_MIN : neutral(op); }}), "P52");
  list.add("from-flt-max", "if the minimum began with FLT_MAX and the maximum with -FLT_MAX",
           reading({.start = [](int op) -> double {
             return op == min ? FLT_MAX : op == max ? -FLT_MAX : neutral(op);
           }}),
           "P52");
  list.add("nothing-for-none", "if no values gave 0 for every operation",
           reading({.nothing_for_none = true}));
  list.add("always-sum", "for the sum, whatever the operation is",
           reading({.which = [](int) -> int { return sum; }}));
  list.add("extremes-exchanged", "for the maximum in place of the minimum, and the reverse",
           reading({.which = [](int op) -> int {
             return op == min ? max : op == max ? min : op;
           }}));
  list.add("no-product", "for the sum in place of the product",
           reading({.which = [](int op) -> int { return op == product ? sum : op; }}));
  list.add("magnitudes", "for the absolute values",
           reading({.changed = [](double value) { return std::abs(value); }}));
  list.add("squares", "for the squares of the values",
           reading({.changed = [](double value) { return value * value; }}));
  list.add("whole-numbers", "for values without their fractions: they are converted to int",
           reading({.changed = [](double value) { return std::trunc(value); }}), "P56");
  list.add("signed-bits", "for floats compared as int by their bits, which reverses negative ones",
           by_bits);
  list.add("bfloat16", "for values rounded to bfloat16, 8 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 8); }}), "P56");
  list.add("halves", "for values rounded to half precision, 11 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 11); }}), "P56");
  list.add("mean", "divided by the number of values", reading({.averages = true}));
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add(
        "overlapping-" + size,
        "if blocks of " + size + " threads, which take twice as many values, began one block apart",
        reading({.weight = [block](std::size_t i, std::size_t n) -> double {
          const std::size_t blocks = (n + 2 * block - 1) / (2 * block);
          const std::size_t at = i / block;
          return at > blocks ? 0 : at == 0 || at == blocks ? 1 : 2;
        }}),
        "P19");
    if (block > 128) {
      list.add("rest-twice-" + size,
               "if the values after the last whole block of " + size + " counted twice",
               reading({.weight = [block](std::size_t i, std::size_t n) -> double {
                 return i >= n / block * block ? 2 : 1;
               }}));
    }
    // Larger ones take all values of the visible cases in one step.
    if (block > 256) continue;
    list.add(
        "stride-of-block-" + size,
        "if threads went on by a block of " + size +
            ", not by the whole grid: later values count once for each block before them, too",
        reading({.weight = [block](std::size_t i,
                                   std::size_t) { return static_cast<double>(i / block + 1); }}),
        "P19");
  }
}
