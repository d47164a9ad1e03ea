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

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
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
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U, 2048U}) {
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
  list.add("magnitudes", "for the absolute values",
           reading({.changed = [](double value) { return std::abs(value); }}));
  list.add("whole-numbers", "for values without their fractions: they are converted to int",
           reading({.changed = [](double value) { return std::trunc(value); }}), "P56");
  list.add("halves", "for values rounded to half precision, 11 significant bits",
           reading({.changed = [](double value) { return rounded_to(value, 11); }}), "P56");
}
