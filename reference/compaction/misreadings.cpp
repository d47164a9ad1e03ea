#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

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
  std::size_t block = 0;  // of which each places its values from its own beginning; 0: none
};

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
    for (std::size_t i = how.first; i < end; ++i) {
      if (how.block > 0 && i % how.block == 0) place = i;
      if (!how.keeps(values[i])) continue;
      ++found;
      const std::size_t at = how.in_place ? i : place++;
      if (at < n) {
        kept[at] = how.stored(how.stores_positions ? static_cast<std::int64_t>(i) : values[i]);
      }
    }
    if (how.backwards)
      std::reverse(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found));
    if (how.at_end) {
      std::rotate(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(found), kept.end());
    }
    count[0] = static_cast<std::int64_t>(how.counts_others ? n - found : found) + how.more;
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
}
