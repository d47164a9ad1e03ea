#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

/// What stands after the kept values.
enum class Rest { zeros, others, others_backwards, input };

/// Values between `first` and `end` that are kept, at a distance from their places.
struct Reading {
  std::function<bool(std::int32_t value)> keeps = [](std::int32_t value) { return value > 0; };
  std::function<std::int64_t(std::int64_t value)> stored = [](std::int64_t value) { return value; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t first = 0;
  std::size_t gap = 0;  // places before the first kept value
  bool in_place = false;  // values stay where they are
  bool backwards = false;  // the last one first
  bool at_end = false;  // kept values are moved to the end
  bool counts_others = false;
  bool stores_positions = false;
  std::int64_t more = 0;  // is added to the count
  /// Groups whose values are kept in reverse order, or which begin after their own number of them.
  std::size_t reversed = 0;
  std::size_t own_count = 0;
  std::size_t block = 0;  // of which each places its values from its own beginning; 0: none
  std::function<bool(std::size_t i, std::size_t n)> skips = [](std::size_t, std::size_t) {
    return false;
  };
  Rest rest = Rest::zeros;
  /// The values of a thread are `threads` apart, and are placed one after the other.
  std::size_t threads = 1;
  std::size_t items = 1;
  /// Of the whole array, in place of the number that was found.
  std::function<std::int64_t(std::int64_t found, std::span<const std::int32_t> values)> count = {};
};

/// The value that comes at position i, if each thread has several.
std::size_t in_order_of_threads(std::size_t i, const Reading& how) {
  const std::size_t tile = how.threads * how.items;
  const std::size_t in_tile = i % tile;
  return i - in_tile + in_tile % how.items * how.threads + in_tile / how.items;
}

void fill_rest(const Reading& how, std::span<const std::int32_t> values,
               std::span<std::int64_t> rest) {
  if (how.rest == Rest::input) {
    std::copy(values.end() - static_cast<std::ptrdiff_t>(rest.size()), values.end(), rest.begin());
    return;
  }
  std::size_t at = 0;
  for (const std::int32_t value : values) {
    if (!how.keeps(value) && at < rest.size()) rest[at++] = value;
  }
  if (how.rest == Rest::others_backwards) std::reverse(rest.begin(), rest.end());
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<std::int32_t>("values");
    const auto kept = call.integers("kept");
    const auto count = call.integers("count");
    std::fill(kept.begin(), kept.end(), 0);
    const std::size_t n = values.size();
    const std::size_t end = std::min(how.end(n), n);
    std::size_t found = 0;
    std::size_t place = how.gap;
    const std::size_t tile = how.threads * how.items;
    for (std::size_t k = how.first; k < (end + tile - 1) / tile * tile; ++k) {
      const std::size_t i = in_order_of_threads(k, how);
      if (how.block > 0 && i % how.block == 0) place = i;
      if (i >= end || how.skips(i, n) || !how.keeps(values[i])) continue;
      ++found;
      std::size_t at = how.in_place ? i : place++;
      const std::size_t group = std::max(how.reversed, how.own_count);
      if (group > 0) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(i / group * group);
        const auto own = values.begin() + static_cast<std::ptrdiff_t>(i);
        const auto to =
            values.begin() + static_cast<std::ptrdiff_t>(std::min((i / group + 1) * group, n));
        const auto before = static_cast<std::size_t>(std::count_if(from, own, how.keeps));
        const auto all = static_cast<std::size_t>(std::count_if(from, to, how.keeps));
        at = how.reversed > 0 ? at - before + all - 1 - before : at + all;
      }
      if (at < n) {
        kept[at] = how.stored(how.stores_positions ? static_cast<std::int64_t>(i) : values[i]);
      }
    }
    if (how.rest != Rest::zeros && found <= n) {
      fill_rest(how, values, std::span(kept).subspan(found));
    }
    if (how.backwards)
      std::reverse(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found));
    if (how.at_end) {
      std::rotate(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found), kept.end());
    }
    count[0] = static_cast<std::int64_t>(how.counts_others ? n - found : found) + how.more;
    if (how.count) count[0] = how.count(count[0], values);
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("zeros-kept", "if values of 0 were kept, too",
           reading({.keeps = [](std::int32_t value) { return value >= 0; }}));
  list.add("negative-kept", "if the negative values were kept",
           reading({.keeps = [](std::int32_t value) { return value < 0; }}));
  list.add("not-zero-kept", "if all values but 0 were kept",
           reading({.keeps = [](std::int32_t value) { return value != 0; }}));
  list.add("above-one-kept", "if values of 1 were not kept",
           reading({.keeps = [](std::int32_t value) { return value > 1; }}));
  list.add("all-kept", "if every value were kept",
           reading({.keeps = [](std::int32_t) { return true; }}));
  list.add("in-place", "if kept values stayed where they are, and the others became 0",
           reading({.in_place = true}));
  list.add("one-too-far", "with every kept value one place too far: places from an inclusive scan",
           reading({.gap = 1}), "P57");
  list.add("backwards", "with the kept values in reverse order", reading({.backwards = true}));
  list.add("at-the-end", "with the kept values at the end of the array", reading({.at_end = true}));
  list.add("no-last", "without the last value of the input",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "without the first value of the input", reading({.first = 1}));
  list.add("first-half", "for the first half of the input only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("first-" + size, "for the first " + size + " values of the input only",
             reading({.end = [block](std::size_t) { return block; }}));
    list.add("own-places-" + size,
             "for blocks of " + size + " values that know nothing of the blocks before them",
             reading({.block = block}), "P58");
  }
  list.add("ones", "with 1 in place of each kept value",
           reading({.stored = [](std::int64_t) -> std::int64_t { return 1; }}));
  list.add("positions", "with the positions of the kept values in place of the values",
           reading({.stores_positions = true}));
  list.add("one-more", "with a count that is one too large", reading({.more = 1}), "P57");
  list.add("one-less", "with a count that is one too small", reading({.more = -1}), "P57");
  list.add("counts-others", "with the number of the values that are left out as the count",
           reading({.counts_others = true}));
  for (const std::size_t block : {32U, 128U, 256U, 512U, 1024U}) {
    const std::string of = (block == 32 ? "warp of " : "block of ") + std::to_string(block);
    list.add("no-first-of-" + std::to_string(block), "without the first value of each " + of,
             reading({.skips = [block](std::size_t i, std::size_t) { return i % block == 0; }}));
    list.add(
        "no-last-of-" + std::to_string(block), "without the last value of each " + of,
        reading({.skips = [block](std::size_t i, std::size_t) { return i % block == block - 1; }}));
    list.add("whole-blocks-" + std::to_string(block),
             "for whole " + std::string(block == 32 ? "warps of 32" : "blocks of ") +
                 (block == 32 ? "" : std::to_string(block)) +
                 ": the rest of the division is left out",
             reading({.end = [block](std::size_t n) { return n / block * block; }}), "P2");
    list.add("count-of-whole-" + std::to_string(block),
             "with a count that is without the last " + of +
                 ": its own values are missing in an exclusive sum",
             reading({.count =
                          [block](std::int64_t found, std::span<const std::int32_t> values) {
                            if (values.empty()) return found;
                            const std::size_t first = (values.size() - 1) / block * block;
                            return found - std::count_if(
                                               values.begin() + static_cast<std::ptrdiff_t>(first),
                                               values.end(), [](std::int32_t v) { return v > 0; });
                          }}),
             "P58");
    for (const std::size_t items : {2U, 4U, 8U, 16U}) {
      list.add("threads-" + std::to_string(block) + "-" + std::to_string(items),
               "in the order of threads, each of which has " + std::to_string(items) +
                   " values that are " + std::to_string(block) + " apart",
               reading({.threads = block, .items = items}));
    }
  }
  list.add("count-without-last", "with a count that is without the last value of the input",
           reading({.count =
                        [](std::int64_t found, std::span<const std::int32_t> values) {
                          return found - (!values.empty() && values.back() > 0 ? 1 : 0);
                        }}),
           "P57");
  list.add("count-of-all", "with n as the count",
           reading({.count = [](std::int64_t, std::span<const std::int32_t> values) {
             return static_cast<std::int64_t>(values.size());
           }}));
  list.add("others-after", "if the other values came after the kept ones, in place of zeros",
           reading({.rest = Rest::others}));
  list.add("others-backwards",
           "if the other values, last first, came after the kept ones; zeros do",
           reading({.rest = Rest::others_backwards}));
  list.add("input-after", "if the input's values were left after the kept ones, in place of zeros",
           reading({.rest = Rest::input}));
  list.add("shorts", "for values cut to 16 bits",
           reading({.stored = [](std::int64_t value) -> std::int64_t {
             return static_cast<std::int16_t>(value);
           }}),
           "P16");
  list.add("bytes", "for values cut to 8 bits",
           reading({.stored = [](std::int64_t value) -> std::int64_t { return value & 0xFF; }}),
           "P16");
  for (const std::size_t group : {4U, 8U, 32U, 64U, 128U, 256U, 512U}) {
    const std::string size = std::to_string(group);
    const std::string of = (group < 32    ? "thread with "
                            : group == 32 ? "warp of "
                                          : "block of ") +
                           size + " values";
    if (group <= 32) {
      list.add("reversed-in-" + size, "with the kept values of each " + of + " in reverse order",
               reading({.reversed = group}));
    }
    list.add("own-count-" + size,
             "for each " + of +
                 " placed after its own number of kept values, too: an inclusive sum of counts",
             reading({.own_count = group}), "P57");
  }
}
