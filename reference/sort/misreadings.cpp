#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Keys = std::vector<std::uint32_t>;

/// What becomes of the keys.
using Reading = std::function<void(Keys& keys)>;

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto keys = call.input<std::uint32_t>("keys");
    const auto sorted = call.integers("sorted");
    Keys result(keys.begin(), keys.end());
    how(result);
    result.resize(sorted.size());
    std::copy(result.begin(), result.end(), sorted.begin());
  };
}

/// A stable sort by some bits, as passes of a radix sort over these bits leave it.
Reading by_bits(std::uint32_t mask) {
  return [mask](Keys& keys) {
    std::stable_sort(keys.begin(), keys.end(),
                     [mask](std::uint32_t a, std::uint32_t b) { return (a & mask) < (b & mask); });
  };
}

/// A stable radix sort whose passes of `bits` begin at the highest digit.
Reading highest_first(int bits) {
  return [bits](Keys& keys) {
    for (int shift = 32 - bits; shift >= 0; shift -= bits) {
      std::stable_sort(keys.begin(), keys.end(), [=](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t mask = (1U << bits) - 1;
        return ((a >> shift) & mask) < ((b >> shift) & mask);
      });
    }
  };
}

/// Blocks that are sorted, each by itself.
Reading blocks(std::size_t size) {
  return [size](Keys& keys) {
    for (std::size_t first = 0; first < keys.size(); first += size) {
      const std::size_t end = std::min(first + size, keys.size());
      std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first),
                keys.begin() + static_cast<std::ptrdiff_t>(end));
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading([](Keys& keys) { std::sort(keys.begin(), keys.end()); }));
  list.add("not-sorted", "for a copy of the keys in their old order", reading([](Keys&) {}));
  list.add("descending", "in descending order",
           reading([](Keys& keys) { std::sort(keys.begin(), keys.end(), std::greater<>()); }));
  list.add("signed",
           "for keys compared as signed integers: those of 2,147,483,648 and more come first",
           reading([](Keys& keys) {
             std::sort(keys.begin(), keys.end(), [](std::uint32_t a, std::uint32_t b) {
               return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
             });
           }),
           "P18");
  list.add("no-highest-bit", "for keys sorted by their lowest 31 bits: the highest bit is missing",
           reading(by_bits(0x7FFFFFFF)));
  list.add("no-highest-four", "for keys sorted by their lowest 28 bits: the last four are missing",
           reading(by_bits(0x0FFFFFFF)));
  list.add("no-highest-byte", "for keys sorted by their lowest 24 bits: the last eight are missing",
           reading(by_bits(0x00FFFFFF)));
  list.add("low-half", "for keys sorted by their lowest 16 bits", reading(by_bits(0x0000FFFF)));
  list.add("low-byte", "for keys sorted by their lowest 8 bits", reading(by_bits(0x000000FF)));
  list.add("high-half", "for keys sorted by their highest 16 bits", reading(by_bits(0xFFFF0000)));
  list.add("no-lowest-bit", "for keys sorted without their lowest bit",
           reading(by_bits(0xFFFFFFFE)));
  list.add("no-lowest-byte", "for keys sorted without their lowest 8 bits",
           reading(by_bits(0xFFFFFF00)));
  list.add("highest-bit-first", "for passes of one bit that begin at the highest bit",
           reading(highest_first(1)));
  list.add("highest-byte-first", "for passes of 8 bits that begin at the highest ones",
           reading(highest_first(8)));
  list.add("highest-four-first", "for passes of 4 bits that begin at the highest ones",
           reading(highest_first(4)));
  for (const std::size_t size : {256U, 512U, 1024U, 2048U}) {
    list.add("blocks-of-" + std::to_string(size),
             "for blocks of " + std::to_string(size) + " keys, each sorted by itself only",
             reading(blocks(size)));
  }
  list.add("no-last-key", "for all keys but the last, which stays in its place",
           reading([](Keys& keys) {
             if (!keys.empty()) std::sort(keys.begin(), keys.end() - 1);
           }));
  list.add("first-half", "for the first half of the keys sorted, and the second left as it is",
           reading([](Keys& keys) {
             std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2));
           }));
  list.add("without-repetition", "with every key once, and zeros after the last",
           reading([](Keys& keys) {
             std::sort(keys.begin(), keys.end());
             keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
           }));
}
