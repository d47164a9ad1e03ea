#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

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
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto values = call.input<std::uint32_t>("values");
    const auto bins = call.integers("bins");
    const auto number = static_cast<std::uint32_t>(bins.size());
    std::fill(bins.begin(), bins.end(), 0);
    const std::size_t end = std::min(how.end(values.size()), values.size());
    for (std::size_t i = how.first(values.size()); number > 0 && i < end; i += how.step) {
      const Bin bin = how.bin(values[i], number);
      if (bin && *bin < number) {
        bins[static_cast<std::size_t>(*bin)] += how.sums_values ? values[i] : 1;
      }
    }
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (how.accumulates && i > 0) bins[i] += bins[i - 1];
    }
    for (std::int64_t& bin : bins) bin = how.shown(bin);
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("clamped", "if values without a bin were counted in the last bin",
           reading({.bin = [](std::uint32_t v,
                              std::uint32_t bins) { return Bin(std::min(v, bins - 1)); }}),
           "P59");
  list.add("wrapped", "if values without a bin were counted in bin v % num_bins",
           reading({.bin = [](std::uint32_t v, std::uint32_t bins) { return Bin(v % bins); }}),
           "P59");
  list.add(
      "clamped-to-first", "if values without a bin were counted in bin 0",
      reading({.bin = [](std::uint32_t v, std::uint32_t bins) { return Bin(v < bins ? v : 0); }}),
      "P59");
  list.add(
      "zeros-left-out", "if values of 0 were not counted",
      reading({.bin = [](std::uint32_t v, std::uint32_t) { return v == 0 ? Bin() : Bin(v); }}));
  list.add("last-bin-empty", "if nothing were counted in the last bin",
           reading({.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v + 1 < bins ? Bin(v) : Bin();
           }}));
  list.add("bin-above", "for values that are counted one bin too high, in bin v + 1",
           reading({.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v < bins ? Bin(v + std::uint64_t{1}) : Bin();
           }}));
  list.add("bin-below", "for values that are counted one bin too low, in bin v - 1",
           reading({.bin = [](std::uint32_t v, std::uint32_t bins) {
             return v > 0 && v < bins ? Bin(v - 1) : Bin();
           }}));
  list.add("low-byte", "for the lowest 8 bits of the values",
           reading({.bin = [](std::uint32_t v, std::uint32_t) { return Bin(v & 0xFF); }}), "P17");
  list.add("no-last-value", "without the last value: the loop ends one too early",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first-value", "without the first value: the loop begins at 1",
           reading({.first = [](std::size_t) { return 1; }}));
  list.add("every-second", "for every second value only", reading({.step = 2}));
  list.add("every-fourth", "for every fourth value only", reading({.step = 4}));
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    list.add("first-" + std::to_string(block),
             "for the first " + std::to_string(block) + " values only",
             reading({.end = [block](std::size_t) { return block; }}));
  }
  list.add("fours", "for groups of four values: the rest of the division is not counted",
           reading({.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  list.add("first-half", "for the first half of the values only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  list.add("twice", "if every value were counted twice",
           reading({.shown = [](std::int64_t count) { return 2 * count; }}));
  list.add("present", "if each bin only told whether it has values, 1 or 0",
           reading({.shown = [](std::int64_t count) -> std::int64_t { return count > 0; }}));
  list.add("counts-of-8-bits", "for counts of 8 bits, which begin again at 0 after 255",
           reading({.shown = [](std::int64_t count) { return count & 0xFF; }}), "P16");
  list.add("counts-of-16-bits", "for counts of 16 bits, which begin again at 0 after 65,535",
           reading({.shown = [](std::int64_t count) { return count & 0xFFFF; }}), "P16");
  list.add("sums", "for sums of the values in each bin in place of their number",
           reading({.sums_values = true}));
  list.add("cumulative", "for cumulative counts: each bin includes those before it",
           reading({.accumulates = true}));
}
