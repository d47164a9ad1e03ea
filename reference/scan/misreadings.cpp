#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

/// The values from `first` to the one before `end`.
struct Part {
  std::size_t first;
  std::size_t end;
};

/// A scan of blocks whose totals are scanned in the same way and then added.
struct Blocks {
  std::size_t size = 0;  // elements of a block that is scanned; 0: none
  std::size_t adding = 0;  // elements of a block that adds what is before it
  /// The tree's last step down is missing: of the elements with an even number in their block, only
  /// the first one gets what is before it.
  bool one_step_short = false;
};

std::vector<double> scanned(const std::vector<double>& values, const Blocks& how, bool exclusive) {
  std::vector<double> sums(values.size());
  std::vector<double> totals;
  for (std::size_t begin = 0; begin < values.size(); begin += how.size) {
    double sum = 0;
    double before = 0;  // what the element to the left holds
    for (std::size_t i = begin; i < std::min(begin + how.size, values.size()); ++i) {
      sum += values[i];
      const bool alone = how.one_step_short && (i - begin) % 2 == 0;
      const double own = alone ? values[i] : sum;
      sums[i] = exclusive ? before : own;
      before = own;
    }
    totals.push_back(sum);
  }
  if (totals.size() < 2) return sums;
  const std::vector<double> before = scanned(totals, how, true);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i / how.adding < before.size()) sums[i] += before[i / how.adding];
  }
  return sums;
}

/// A scan of blocks by doubling, whose totals are scanned in the same way and then added.
struct Doubling {
  std::size_t block = 256;
  std::size_t first = 1;  // distance of the first step
  std::size_t end = 256;  // the last step's is smaller
  bool leaves_out_neighbor = false;  // thread d adds nothing: t > d in place of t >= d
  bool adds_itself = false;  // threads before d add their own sum
  bool in_warps = false;  // by shuffles: warps are scanned, and then joined
  double times = 1;  // that what is before a block is added
  enum class Total { of_all, last_value, without_last } total = Total::of_all;
  enum class Joined {
    warps_before,
    own_warp_too,
    none,
    one_before,  // the total of one warp only
    first_warp
  } joined = Joined::warps_before;
  bool first_gets_nothing = false;  // of a block, from the blocks before
  bool exclusive_only = true;  // the first one gets nothing in exclusive scans only
};

/// Of `count` sums in one warp or block, in place.
void double_up(double* sums, std::size_t count, const Doubling& how, std::size_t end) {
  std::vector<double> old(count);
  for (std::size_t d = how.first; d < end; d *= 2) {
    old.assign(sums, sums + count);
    for (std::size_t t = 0; t < count; ++t) {
      if (t > d || (t == d && !how.leaves_out_neighbor)) sums[t] += old[t - d];
      if (t < d && how.adds_itself) sums[t] *= 2;
    }
  }
}

std::vector<double> doubled(const std::vector<double>& values, const Doubling& how,
                            bool exclusive) {
  std::vector<double> sums(values.size());
  std::vector<double> totals;
  std::vector<double> own(how.block);
  std::vector<double> warps(how.block / 32);
  std::vector<double> alone;  // the warps' own totals
  for (std::size_t begin = 0; begin < values.size(); begin += how.block) {
    const std::size_t count = std::min(how.block, values.size() - begin);
    std::fill(own.begin(), own.end(), 0);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(begin), count, own.begin());
    const double last_value = own.back();
    if (how.in_warps) {
      for (std::size_t w = 0; w < warps.size(); ++w) {
        double_up(&own[32 * w], 32, how, 32);
        warps[w] = own[32 * w + 31];
      }
      alone = warps;
      double_up(warps.data(), warps.size(), how, 32);
    } else {
      double_up(own.data(), how.block, how, how.end);
    }
    double joined = 0;
    double last = 0;  // of the thread to the left
    for (std::size_t t = 0; t < how.block; ++t) {
      const std::size_t warp = t / 32;
      joined = 0;
      if (how.in_warps && how.joined == Doubling::Joined::warps_before && warp > 0) {
        joined = warps[warp - 1];
      }
      if (how.in_warps && how.joined == Doubling::Joined::own_warp_too) joined = warps[warp];
      if (how.in_warps && how.joined == Doubling::Joined::one_before && warp > 0) {
        joined = alone[warp - 1];
      }
      if (how.in_warps && how.joined == Doubling::Joined::first_warp && warp > 0) {
        joined = alone[0];
      }
      last = t == 0 || (how.in_warps && t % 32 == 0) ? 0 : own[t - 1];
      if (t < count) sums[begin + t] = joined + (exclusive ? last : own[t]);
    }
    totals.push_back(how.total == Doubling::Total::last_value     ? last_value
                     : how.total == Doubling::Total::without_last ? last
                                                                  : joined + own.back());
  }
  if (totals.size() < 2) return sums;
  const std::vector<double> before = doubled(totals, how, true);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool nothing = how.first_gets_nothing && (exclusive || !how.exclusive_only);
    if (nothing && i % how.block == 0) continue;
    sums[i] += how.times * before[i / how.block];
  }
  return sums;
}

/// All from sums of parts: of [first, i + 1) or [first, i), and one more part that is added.
struct Reading {
  std::function<bool(bool exclusive)> exclusive = [](bool asked) { return asked; };
  /// The first value that is added up for element i of n.
  std::function<std::size_t(std::size_t i)> first = [](std::size_t) { return 0; };
  std::function<Part(std::size_t i, std::size_t n)> also = [](std::size_t, std::size_t) {
    return Part{0, 0};
  };
  std::function<double(double value)> changed = [](double value) { return value; };
  Blocks blocks = {};
  bool from_the_end = false;
  bool starts_with_first = false;  // element 0 of an exclusive scan is values[0]
  double first_value = 1;  // factor of values[0]
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto sums = call.floats("sums");
    const std::size_t n = sums.want.size();
    const bool exclusive = how.exclusive(call.dim("exclusive") != 0);
    // Sums of values and of their absolute values before each element.
    std::vector<double> before(n + 1);
    std::vector<double> sizes(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      double value = how.changed(values[how.from_the_end ? n - 1 - i : i]);
      if (i == 0) value *= how.first_value;
      before[i + 1] = before[i] + value;
      sizes[i + 1] = sizes[i] + (std::isfinite(value) ? std::abs(value) : 0);
    }
    std::vector<double> in_blocks;
    if (how.blocks.size > 0) {
      in_blocks = scanned(std::vector<double>(values.begin(), values.end()), how.blocks, exclusive);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = how.from_the_end ? n - 1 - i : i;
      const std::size_t end = exclusive ? at : at + 1;
      const std::size_t first = std::min(how.first(at), end);
      const Part also = how.also(at, n);
      double& want = sums.want[i];
      want = first == 0 ? before[end] : before[end] - before[first];
      if (how.blocks.size > 0) want = in_blocks[i];
      if (also.end > also.first) want += before[also.end] - before[also.first];
      if (how.starts_with_first && exclusive && at == 0) want = values[0];
      sums.condition[i] = 2 * sizes[std::max(std::min(n, at + 1), also.end)];
    }
  };
}

auto reading(Doubling how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<float>("values");
    const auto sums = call.floats("sums");
    std::vector<double> terms(values.begin(), values.end());
    const auto wrong = doubled(terms, how, call.dim("exclusive") != 0);
    for (double& term : terms) term = std::isfinite(term) ? std::abs(term) : 0;
    const auto sizes = doubled(terms, how, false);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      sums.want[i] = wrong[i];
      // Whole numbers above 2^24 are rounded, in the order of the program.
      sums.condition[i] = sizes[i] > 0x1p24 ? warpgrade::kAnything : 2 * sizes[i];
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading(Reading{}));
  list.add("exchanged", "with inclusive and exclusive exchanged",
           reading({.exclusive = [](bool asked) { return !asked; }}), "P57");
  list.add("always-inclusive", "for inclusive sums, also where exclusive ones are asked for",
           reading({.exclusive = [](bool) { return false; }}), "P57");
  list.add("always-exclusive", "for exclusive sums, also where inclusive ones are asked for",
           reading({.exclusive = [](bool) { return true; }}), "P57");
  list.add("from-the-end", "for sums from the last element to the first",
           reading({.from_the_end = true}));
  list.add("no-first", "without the first value in the sums", reading({.first_value = 0}));
  list.add("first-twice", "if the first value counted twice", reading({.first_value = 2}));
  list.add("starts-with-first", "if element 0 of an exclusive scan were the first value; it is 0",
           reading({.starts_with_first = true}), "P20");
  list.add("itself-twice", "if each element were added to its own sum twice",
           reading({.also = [](std::size_t i, std::size_t) {
             return Part{i, i + 1};
           }}));
  for (const std::size_t block : {8U, 32U, 64U, 128U, 256U, 512U, 1024U, 2048U, 65536U}) {
    const std::string size = std::to_string(block);
    list.add("own-block-of-" + size,
             "for blocks of " + size + " elements that get nothing from the blocks before them",
             reading({.first = [block](std::size_t i) { return i / block * block; }}), "P58");
  }
  for (const std::size_t block : {256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("own-total-of-" + size,
             "if blocks of " + size + " elements also added their own total",
             reading({.also =
                          [block](std::size_t i, std::size_t n) {
                            return Part{i / block * block, std::min((i / block + 1) * block, n)};
                          }}),
             "P58");
    list.add(
        "one-block-before-of-" + size,
        "for blocks of " + size + " elements that get the total of one block before them only",
        reading(
            {.first = [block](std::size_t i) { return i < block ? 0 : (i / block - 1) * block; }}),
        "P58");
    list.add("without-block-before-of-" + size,
             "for blocks of " + size + " elements that lack the total of the block just before",
             reading({.first = [block](std::size_t i) { return i / block * block; },
                      .also =
                          [block](std::size_t i, std::size_t) {
                            return Part{0, i < 2 * block ? 0 : (i / block - 1) * block};
                          }}),
             "P58");
    list.add("first-block-only-of-" + size,
             "for blocks of " + size + " elements that get the total of the first block only",
             reading({.first = [block](std::size_t i) { return i / block * block; },
                      .also =
                          [block](std::size_t i, std::size_t) {
                            return Part{0, i < block ? 0 : block};
                          }}),
             "P58");
    list.add("without-first-block-of-" + size,
             "without the first block of " + size + " elements in the sums of the later ones",
             reading({.first = [block](std::size_t i) { return i < block ? 0 : block; }}), "P58");
  }
  for (const std::size_t block : {64U, 128U, 256U, 512U, 1024U, 2048U}) {
    const std::string size = std::to_string(block);
    list.add("tree-one-step-short-" + size,
             "if the tree's last step down were missing, in blocks of " + size + " elements",
             reading({.blocks = {.size = block, .adding = block, .one_step_short = true}}));
    for (const std::size_t adding : {2 * block, block / 2}) {
      list.add("added-by-" + std::to_string(adding) + "-to-" + size,
               "if what is before blocks of " + size + " elements were added by blocks of " +
                   std::to_string(adding),
               reading({.blocks = {.size = block, .adding = adding}}), "P58");
    }
  }
  for (const std::size_t window : {2U, 16U, 128U}) {
    const std::string size = std::to_string(window);
    list.add("window-of-" + size,
             "for sums of at most " + size + " elements: the steps end with a distance of " +
                 std::to_string(window / 2),
             reading({.first = [window](std::size_t i) {
               return i + 1 < window ? 0 : i + 1 - window;
             }}));
  }
  for (const std::size_t block : {256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    const std::string in_blocks = ", in blocks of " + size + " elements";
    list.add("first-step-missing-" + size, "if the step of distance 1 were missing" + in_blocks,
             reading(Doubling{.block = block, .first = 2, .end = block}));
    list.add("last-step-missing-" + size,
             "if the step of distance " + std::to_string(block / 2) + " were missing" + in_blocks,
             reading(Doubling{.block = block, .end = block / 2}));
    list.add("neighbor-left-out-" + size,
             "if thread d added nothing in the step of distance d: t > d, in place of t >= d" +
                 in_blocks,
             reading(Doubling{.block = block, .end = block, .leaves_out_neighbor = true}));
    list.add("last-value-as-total-" + size,
             "for blocks of " + size + " elements whose total is the last value alone",
             reading(Doubling{.block = block, .end = block, .total = Doubling::Total::last_value}),
             "P58");
    list.add(
        "total-without-last-" + size,
        "for blocks of " + size + " elements whose total lacks the last value",
        reading(Doubling{.block = block, .end = block, .total = Doubling::Total::without_last}),
        "P58");
    list.add("before-twice-" + size,
             "if what is before blocks of " + size + " elements were added twice",
             reading(Doubling{.block = block, .end = block, .times = 2}), "P58");
    if (block != 256) continue;  // the time for large cases is limited
    list.add("first-gets-nothing-" + size,
             "for blocks of " + size +
                 " elements whose first exclusive sum is 0, not that of the blocks before",
             reading(Doubling{.block = block, .end = block, .first_gets_nothing = true}), "P20");
    list.add(
        "thread-zero-gets-nothing-" + size,
        "for blocks of " + size + " elements whose first one gets nothing from those before",
        reading(Doubling{
            .block = block, .end = block, .first_gets_nothing = true, .exclusive_only = false}),
        "P20");
    list.add("lanes-add-themselves-" + size,
             "if lanes without a neighbor d places before added their own sum again" + in_blocks,
             reading(Doubling{.block = block, .adds_itself = true, .in_warps = true}));
    list.add("own-warp-too-" + size, "if each warp also added its own total" + in_blocks,
             reading(Doubling{
                 .block = block, .in_warps = true, .joined = Doubling::Joined::own_warp_too}));
    list.add("warps-not-joined-" + size,
             "for warps that get nothing from the warps before them" + in_blocks,
             reading(Doubling{.block = block, .in_warps = true, .joined = Doubling::Joined::none}));
  }
  list.add("squares", "for the squares of the values",
           reading({.changed = [](double value) { return value * value; }}));
  list.add("magnitudes", "for the absolute values",
           reading({.changed = [](double value) { return std::abs(value); }}));
  list.add("whole-numbers", "for values without their fractions: they are converted to int",
           reading({.changed = [](double value) { return std::trunc(value); }}), "P56");
  list.add("halves", "for values rounded to half precision, 11 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 11); }}), "P56");
  for (const std::size_t block : {128U, 256U, 512U}) {
    const std::string in_blocks = ", in blocks of " + std::to_string(block) + " elements";
    list.add("one-warp-before-" + std::to_string(block),
             "for warps that get the total of one warp before them only" + in_blocks,
             reading(Doubling{
                 .block = block, .in_warps = true, .joined = Doubling::Joined::one_before}));
    list.add("first-warp-" + std::to_string(block),
             "for warps that get the total of the first warp only" + in_blocks,
             reading(Doubling{
                 .block = block, .in_warps = true, .joined = Doubling::Joined::first_warp}));
  }
  for (const std::size_t block : {32U, 64U, 128U, 2048U}) {
    const std::string size = std::to_string(block);
    list.add("own-total-of-" + size,
             std::string("if ") + (block == 32 ? "warps" : "blocks") + " of " + size +
                 " elements also added their own total",
             reading({.also =
                          [block](std::size_t i, std::size_t n) {
                            return Part{i / block * block, std::min((i / block + 1) * block, n)};
                          }}),
             "P58");
  }
  for (const std::size_t items : {4U, 8U, 16U}) {
    list.add("own-items-" + std::to_string(items),
             "if each thread added the sum of its " + std::to_string(items) +
                 " elements to all of them: an inclusive sum of the threads, not an exclusive one",
             reading({.also =
                          [items](std::size_t i, std::size_t n) {
                            return Part{i / items * items, std::min((i / items + 1) * items, n)};
                          }}),
             "P57");
  }
}
