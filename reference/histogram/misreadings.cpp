#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Bin = std::optional<std::uint64_t>;

/// The values from `first` to `end`, each `step`-th of them, counted in the bin that `bin` says.
struct Reading {
  std::function<Bin(std::uint32_t value, std::uint32_t bins)> bin =
      [](std::uint32_t value, std::uint32_t /*bins*/) { return Bin(value); };
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t step = 1;
  std::function<std::int64_t(std::int64_t count)> shown = [](std::int64_t count) { return count; };
  bool sums_values = false;
  bool accumulates = false;  // each bin also has the counts of those before it
  bool in_shared = false;  // only where all bins fit into shared memory
  bool positions = false;  // are counted, in place of values
  std::size_t once_in = 0;  // values, of which several in a bin count as one; 0: none
  std::size_t largest_of = 0;  // the largest count of so many values; 0: of all together
  /// Whether value i is counted.
  std::function<bool(std::size_t i, std::size_t n)> counts = {};
  /// What is stored in the place of a bin's count.
  std::function<std::int64_t(std::size_t bin, std::size_t bins, std::int64_t count)> stored = {};
};

/// Counts of one block of values after the other.
struct InBlocks {
  std::vector<std::size_t> block;  // the last one that had a value of the bin, from 1
  std::vector<std::int64_t> count;  // of that block

  void add(std::size_t bin, std::size_t i, const Reading& how, std::span<std::int64_t> bins) {
    block.resize(bins.size());
    count.resize(bins.size());
    const std::size_t now = i / std::max(how.once_in, how.largest_of) + 1;
    if (block[bin] != now) {
      count[bin] = 0;
      if (how.once_in > 0) ++bins[bin];
    }
    block[bin] = now;
    ++count[bin];
    if (how.largest_of > 0) bins[bin] = std::max(bins[bin], count[bin]);
  }
};

const Reading kUnchanged;

auto reading(Reading changed) {
  return [changed](const GoldenCall& call) {
    constexpr std::size_t kMostInShared = 48 * 1024 / sizeof(std::uint32_t);
    const bool differs = !changed.in_shared || call.integers("bins").size() <= kMostInShared;
    const Reading& how = differs ? changed : kUnchanged;
    const auto values = call.input<std::uint32_t>("values");
    const auto bins = call.integers("bins");
    const auto number = static_cast<std::uint32_t>(bins.size());
    std::fill(bins.begin(), bins.end(), 0);
    InBlocks in_blocks;
    const std::size_t end = std::min(how.end(values.size()), values.size());
    for (std::size_t i = how.first(values.size()); number > 0 && i < end; i += how.step) {
      if (how.counts && !how.counts(i, values.size())) continue;
      const Bin bin = how.bin(how.positions ? static_cast<std::uint32_t>(i) : values[i], number);
      if (how.once_in + how.largest_of > 0) {
        if (bin && *bin < number) in_blocks.add(static_cast<std::size_t>(*bin), i, how, bins);
      } else if (bin && *bin < number) {
        bins[static_cast<std::size_t>(*bin)] += how.sums_values ? values[i] : 1;
      }
    }
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (how.accumulates && i > 0) bins[i] += bins[i - 1];
    }
    for (std::int64_t& bin : bins) bin = how.shown(bin);
    for (std::size_t i = 0; how.stored && i < bins.size(); ++i) {
      bins[i] = how.stored(i, bins.size(), bins[i]);
    }
  };
}

/// Adds mistakes with add(id, says, how, pitfall).
template <class Add>
void add_more(bool in_shared, const Add& add) {
  add("bins-reversed", "for bin num_bins - 1 - v in place of bin v",
      Reading({.bin = [](std::uint32_t v, std::uint32_t bins) {
        return v < bins ? Bin(bins - 1 - v) : Bin();
      }}));
  add("ones-left-out", "if values of 1 were not counted",
      Reading({.bin = [](std::uint32_t v, std::uint32_t) { return v == 1 ? Bin() : Bin(v); }}));
  for (const std::uint32_t divisor : {2U, 4U, 8U, 16U, 32U}) {
    add("divided-by-" + std::to_string(divisor),
        "for bin v / " + std::to_string(divisor) + " in place of bin v",
        Reading({.bin = [divisor](std::uint32_t v, std::uint32_t bins) {
          return v < bins ? Bin(v / divisor) : Bin();
        }}));
  }
  add("doubled", "for bin 2 * v in place of bin v",
      Reading({.bin = [](std::uint32_t v, std::uint32_t) { return Bin(2 * std::uint64_t{v}); }}));
  add("low-bytes-in-range", "for the lowest 8 bits of the values that have a bin",
      Reading({.bin = [](std::uint32_t v,
                         std::uint32_t bins) { return v < bins ? Bin(v & 0xFF) : Bin(); }}),
      "P17");
  add("positions", "for the positions of values in place of the values",
      Reading({.positions = true}));
  add("one-more", "with counts that are one too large: bins begin with 1",
      Reading({.shown = [](std::int64_t count) { return count + 1; }}));
  add("one-less", "if the first value of each bin were not counted",
      Reading({.shown = [](std::int64_t count) { return std::max<std::int64_t>(count - 1, 0); }}));
  add("ones-lost", "if bins with a count of 1 were 0",
      Reading({.shown = [](std::int64_t count) { return count > 1 ? count : 0; }}));
  for (const std::size_t block : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    // No visible case has the others in shared memory.
    if (!in_shared || block < 1024)
      add("bins-of-one-block-" + size,
          "for the first " + size + " bins only, one for each thread of a block; the others are 0",
          Reading({.stored = [block](std::size_t bin, std::size_t,
                                     std::int64_t count) { return bin < block ? count : 0; }}),
          "P21");
    if (!in_shared || block > 32)
      add("whole-bins-" + size, "for whole groups of " + size + " bins; the bins after them are 0",
          Reading({.stored =
                       [block](std::size_t bin, std::size_t bins, std::int64_t count) {
                         return bin < bins / block * block ? count : 0;
                       }}),
          "P21");
    const std::string of = block == 32 ? "each warp" : "each block of " + size;
    add("no-first-of-" + size, "without the first value of " + of,
        Reading({.counts = [block](std::size_t i, std::size_t) { return i % block != 0; }}));
    add("no-last-of-" + size, "without the last value of " + of,
        Reading(
            {.counts = [block](std::size_t i, std::size_t) { return i % block != block - 1; }}));
    add("first-of-" + size, "for the first value of " + of + " only",
        Reading({.counts = [block](std::size_t i, std::size_t) { return i % block == 0; }}));
    if (block == 32) continue;
    if (block > 64)
      add("first-warp-of-" + size, "for the first warp of " + of + " only",
          Reading({.counts = [block](std::size_t i, std::size_t) { return i % block < 32; }}));
    add("last-block-" + size, "for the last block of " + size + " values only",
        Reading(
            {.first = [block](std::size_t n) { return n == 0 ? 0 : (n - 1) / block * block; }}));
    add("whole-blocks-" + size,
        "for whole blocks of " + size + " values: the rest of the division is not counted",
        Reading({.end = [block](std::size_t n) { return n / block * block; }}), "P2");
    add("from-second-block-" + size, "without the first " + size + " values",
        Reading({.first = [block](std::size_t) { return block; }}), "P19");
    add("every-second-block-" + size, "for every second block of " + size + " values only",
        Reading({.counts = [block](std::size_t i, std::size_t) { return i / block % 2 == 0; }}),
        "P19");
    if (in_shared)
      add("blocks-" + size,
          "for the number of blocks of " + size + " values that have a bin's value",
          Reading({.once_in = block}));
    if (in_shared)
      add("largest-of-" + size, "for the largest count of a block of " + size + " values",
          Reading({.largest_of = block}));
  }
}

/// Values in groups of `size`, of which each run of equal values, or all equal values, are counted
/// at once.
struct Together {
  std::size_t size = 32;
  bool runs = false;  // only values that follow each other
  /// What is added for values at these places of their group.
  std::function<std::int64_t(std::uint64_t places)> adds = [](std::uint64_t places) {
    return std::int64_t{std::popcount(places)};
  };
};

auto reading(Together how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<std::uint32_t>("values");
    const auto bins = call.integers("bins");
    std::fill(bins.begin(), bins.end(), 0);
    for (std::size_t first = 0; first < values.size(); first += how.size) {
      const std::size_t count = std::min(how.size, values.size() - first);
      std::uint64_t done = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t value = values[first + i];
        if ((done >> i & 1U) != 0) continue;
        std::uint64_t places = 0;
        for (std::size_t k = i; k < count; ++k) {
          if (values[first + k] == value) {
            places |= std::uint64_t{1} << k;
          } else if (how.runs) {
            break;
          }
        }
        done |= places;
        if (value < bins.size()) bins[value] += how.adds(places);
      }
    }
    for (std::int64_t& bin : bins) bin &= 0xFFFFFFFF;
  };
}

/// Bins that are counted in ranges of `size`, of which some are left at 0. At least `least` ranges
/// count as whole ones.
auto in_ranges(std::size_t size, bool folded, std::size_t least,
               std::function<bool(std::size_t range, std::size_t whole)> is_counted) {
  return [=](const GoldenCall& call) {
    reading(kUnchanged)(call);
    const auto bins = call.integers("bins");
    const std::size_t whole = std::max<std::size_t>(bins.size() / size, least);
    std::vector<std::int64_t> sums(size);  // of the bins at the same place of all ranges
    for (std::size_t bin = 0; bin < bins.size(); ++bin) sums[bin % size] += bins[bin];
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      if (folded) bins[bin] = sums[bin % size];
      if (!is_counted(bin / size, whole)) bins[bin] = 0;
    }
  };
}

/// Mistakes of warps whose lanes with the same value count together, of runs, and of ranges.
void add_together(warpgrade::MisreadingList& list) {
  list.add(
      "leader-from-one",
      "if lane __ffs(mask) added for the lanes with the same value: the lowest of them is lane "
      "__ffs(mask) - 1",
      reading(Together{.adds = [](std::uint64_t lanes) -> std::int64_t {
        return (lanes >> (std::countr_zero(lanes) + 1) & 1U) != 0 ? std::popcount(lanes) : 0;
      }}));
  list.add("lane-zero-adds",
           "if only lane 0 of a warp added the lanes with its value; those with others are lost",
           reading(Together{.adds = [](std::uint64_t lanes) -> std::int64_t {
             return (lanes & 1U) != 0 ? std::popcount(lanes) : 0;
           }}));
  list.add("all-lanes-add",
           "if each lane of a warp, and not just one, added the number of lanes with its value",
           reading(Together{.adds = [](std::uint64_t lanes) -> std::int64_t {
             return std::int64_t{std::popcount(lanes)} * std::popcount(lanes);
           }}));
  list.add("one-for-all-lanes",
           "if the lanes of a warp that have the same value added 1 for all of them",
           reading(Together{.adds = [](std::uint64_t) { return std::int64_t{1}; }}));
  list.add("leader-not-counted",
           "if of the lanes of a warp with the same value one were not counted",
           reading(Together{.adds = [](std::uint64_t lanes) {
             return std::int64_t{std::popcount(lanes)} - 1;
           }}));
  list.add(
      "mask-added", "if the mask of the lanes with the same value were added, not __popc of it",
      reading(
          Together{.adds = [](std::uint64_t lanes) { return static_cast<std::int64_t>(lanes); }}));
  for (const std::size_t size : {4U, 8U, 16U, 32U}) {
    const std::string values = std::to_string(size) + " values that follow each other";
    list.add("last-run-of-" + std::to_string(size),
             "if each thread's last run of equal values were not counted, in " + values,
             reading(Together{.size = size, .runs = true, .adds = [size](std::uint64_t places) {
                                const bool last = (places >> (size - 1) & 1U) != 0;
                                return std::int64_t{last ? 0 : std::popcount(places)};
                              }}));
    list.add("runs-from-zero-" + std::to_string(size),
             "for runs of equal values whose first one is not counted, in " + values,
             reading(Together{.size = size, .runs = true, .adds = [](std::uint64_t places) {
                                return std::int64_t{std::popcount(places)} - 1;
                              }}));
  }
  for (const std::size_t size :
       {2048U, 4096U, 6144U, 8192U, 10240U, 12288U, 16384U, 24576U, 32768U}) {
    const std::string of = std::to_string(size);
    list.add("first-range-" + of,
             "for the first range of " + of + " bins only; the bins of the others are 0",
             in_ranges(size, false, 1, [](std::size_t range, std::size_t) { return range == 0; }));
    list.add("folded-ranges-" + of,
             "if each range of " + of + " bins also had the values of the other ranges, v % " + of,
             in_ranges(size, true, 1, [](std::size_t, std::size_t) { return true; }));
  }
  // The visible cases have the same last range of 2,048, 4,096, ..., 32,768 bins.
  list.add(
      "whole-ranges",
      "without the bins of the last range, which is shorter: the number of ranges is rounded "
      "down",
      in_ranges(8192, false, 1, [](std::size_t range, std::size_t whole) { return range < whole; }),
      "P2");
  list.add(
      "whole-ranges-or-none",
      "for whole ranges of 8192 bins: their number is rounded down, which leaves none for fewer "
      "bins",
      in_ranges(8192, false, 0, [](std::size_t range, std::size_t whole) { return range < whole; }),
      "P2");
  list.add("whole-ranges-10240",
           "for whole ranges of 10240 bins: the number of ranges is rounded down",
           in_ranges(10240, false, 1,
                     [](std::size_t range, std::size_t whole) { return range < whole; }),
           "P2");
  list.add("last-range", "for the bins of the last range only: each range sets the others to 0",
           in_ranges(8192, false, 0,
                     [](std::size_t range, std::size_t whole) { return range == whole; }));
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading(Reading{}));
  list.add("clamped", "if values without a bin were counted in the last bin",
           reading(Reading{.bin = [](std::uint32_t v,
                                     std::uint32_t bins) { return Bin(std::min(v, bins - 1)); }}),
           "P59");
  list.add(
      "wrapped", "if values without a bin were counted in bin v % num_bins",
      reading(Reading{.bin = [](std::uint32_t v, std::uint32_t bins) { return Bin(v % bins); }}),
      "P59");
  list.add("clamped-to-first", "if values without a bin were counted in bin 0",
           reading(Reading{
               .bin = [](std::uint32_t v, std::uint32_t bins) { return Bin(v < bins ? v : 0); }}),
           "P59");
  list.add("zeros-left-out", "if values of 0 were not counted",
           reading(Reading{
               .bin = [](std::uint32_t v, std::uint32_t) { return v == 0 ? Bin() : Bin(v); }}));
  list.add("last-bin-empty", "if nothing were counted in the last bin",
           reading(Reading{.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v + 1 < bins ? Bin(v) : Bin();
           }}));
  list.add("bin-above", "for values that are counted one bin too high, in bin v + 1",
           reading(Reading{.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v < bins ? Bin(v + std::uint64_t{1}) : Bin();
           }}));
  list.add("bin-below", "for values that are counted one bin too low, in bin v - 1",
           reading(Reading{.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v > 0 && v < bins ? Bin(v - 1) : Bin();
           }}));
  list.add("low-byte", "for the lowest 8 bits of the values",
           reading(Reading{.bin = [](std::uint32_t v, std::uint32_t) { return Bin(v & 0xFF); }}),
           "P17");
  list.add("no-last-value", "without the last value: the loop ends one too early",
           reading(Reading{.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first-value", "without the first value: the loop begins at 1",
           reading(Reading{.first = [](std::size_t) { return 1; }}));
  list.add("every-second", "for every second value only", reading(Reading{.step = 2}));
  list.add("every-fourth", "for every fourth value only", reading(Reading{.step = 4}));
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading(Reading{.end = [block](std::size_t) { return block; }}));
  }
  list.add("fours", "for groups of four values: the rest of the division is not counted",
           reading(Reading{.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  list.add("first-half", "for the first half of the values only",
           reading(Reading{.end = [](std::size_t n) { return n / 2; }}));
  list.add("twice", "if every value were counted twice",
           reading(Reading{.shown = [](std::int64_t count) { return 2 * count; }}));
  list.add("present", "if each bin only told whether it has values, 1 or 0",
           reading(Reading{.shown = [](std::int64_t count) -> std::int64_t { return count > 0; }}));
  list.add("counts-of-8-bits", "for counts of 8 bits, which begin again at 0 after 255",
           reading(Reading{.shown = [](std::int64_t count) { return count & 0xFF; }}), "P16");
  list.add("counts-of-16-bits", "for counts of 16 bits, which begin again at 0 after 65,535",
           reading(Reading{.shown = [](std::int64_t count) { return count & 0xFFFF; }}), "P16");
  list.add("sums", "for sums of the values in each bin in place of their number",
           reading(Reading{.sums_values = true}));
  list.add("cumulative", "for cumulative counts: each bin includes those before it",
           reading(Reading{.accumulates = true}));
  list.add("low-16-bits", "for the lowest 16 bits of the values",
           reading(Reading{.bin = [](std::uint32_t v, std::uint32_t) { return Bin(v & 0xFFFF); }}),
           "P17");
  // A program with a kernel for shared memory and another one may have a mistake in one of them.
  for (const bool in_shared : {false, true}) {
    add_more(in_shared, [&](const std::string& id, const std::string& says, Reading how,
                            const char* pitfall = "") {
      how.in_shared = in_shared;
      list.add(in_shared ? id + "-in-shared" : id,
               in_shared ? says + ", where the bins fit into shared memory" : says,
               reading(std::move(how)), pitfall);
    });
  }
  add_together(list);
}
