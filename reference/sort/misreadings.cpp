#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

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

/// Passes of `bits` from the lowest digit to the highest, for equal digits in the order of `place`.
Reading with_ties(int bits, std::function<std::size_t(std::size_t i, std::size_t n)> place) {
  return [bits, place](Keys& keys) {
    Keys from(keys.size());
    for (int shift = 0; shift < 32; shift += bits) {
      for (std::size_t i = 0; i < keys.size(); ++i) from[i] = keys[place(i, keys.size())];
      std::stable_sort(from.begin(), from.end(), [=](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t mask = (1U << bits) - 1;
        return ((a >> shift) & mask) < ((b >> shift) & mask);
      });
      keys.swap(from);
    }
  };
}

/// Surplus places, up to a multiple of `size`, or to a power of two if it is 0, filled with a key.
Reading padded(std::size_t size, std::uint32_t key) {
  return [size, key](Keys& keys) {
    const std::size_t n = keys.size();
    keys.resize(size == 0 ? std::bit_ceil(n) : (n + size - 1) / size * size, key);
    std::sort(keys.begin(), keys.end());
  };
}

/// Keys that are changed, and then sorted.
Reading changed(std::function<std::uint32_t(std::uint32_t key)> change) {
  return [change](Keys& keys) {
    for (std::uint32_t& key : keys) key = change(key);
    std::sort(keys.begin(), keys.end());
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

/// Where keys go when two sorted runs are merged.
enum class Merge {
  below,  // after those of the other run that are smaller
  not_above,  // after those of the other run that are smaller or equal
  no_last_run  // right, but a last run without a partner is not copied
};

/// A merge sort that begins with sorted runs of `run` keys and changes between two arrays. A place
/// that no key is written to keeps what it had in the pass before the last one.
Reading merged(std::size_t run, Merge how) {
  return [run, how](Keys& keys) {
    const std::size_t n = keys.size();
    blocks(run)(keys);
    Keys next(n);
    for (std::size_t length = run; length < n; length *= 2) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t left = i / (2 * length) * (2 * length);
        const std::size_t middle = std::min(left + length, n);
        const std::size_t end = std::min(left + 2 * length, n);
        const auto at = [&](std::size_t place) {
          return keys.begin() + static_cast<std::ptrdiff_t>(place);
        };
        const bool is_left = i < middle;
        if (how == Merge::no_last_run && middle == end) continue;
        const auto first = is_left ? at(middle) : at(left);
        const auto last = is_left ? at(end) : at(middle);
        const bool equal_first = how == Merge::no_last_run ? !is_left : how == Merge::not_above;
        const auto before = equal_first ? std::upper_bound(first, last, keys[i])
                                        : std::lower_bound(first, last, keys[i]);
        const std::size_t own = i - (is_left ? left : middle);
        const std::size_t place = left + own + static_cast<std::size_t>(before - first);
        if (place < n) next[place] = keys[i];
      }
      keys.swap(next);
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
  list.add("byte-digits-of-7",
           "for passes of 8 bits whose mask has 7: bits 7, 15, 23 and 31 are lost",
           reading(by_bits(0x7F7F7F7F)));
  list.add("byte-digits-of-4", "for passes of 8 bits whose mask has 4: half of the bits are lost",
           reading(by_bits(0x0F0F0F0F)));
  list.add("four-digits-of-3", "for passes of 4 bits whose mask has 3: bits 3, 7, 11, ... are lost",
           reading(by_bits(0x77777777)));
  list.add("shift-by-pass", "for the lowest 11 bits: keys are shifted by the pass, not by its bits",
           reading(by_bits(0x000007FF)));
  list.add("no-lowest-four", "for keys sorted without their lowest 4 bits",
           reading(by_bits(0xFFFFFFF0)));
  for (const int bits : {1, 2, 4, 8}) {
    const std::string size = bits == 1 ? "bit" : std::to_string(bits) + " bits";
    if (bits != 8) {
      list.add("lowest-only-" + std::to_string(bits), "for keys sorted by their lowest " + size,
               reading(by_bits((1U << bits) - 1)));
    }
    list.add("highest-only-" + std::to_string(bits),
             "for keys sorted by their highest " + size + " only: each pass reads the old keys",
             reading(by_bits(~0U << (32 - bits))));
  }
  for (const int bits : {1, 4, 8}) {
    const std::string passes =
        ", in passes of " + std::to_string(bits) + (bits == 1 ? " bit" : " bits");
    const std::string id = "-" + std::to_string(bits);
    list.add("ties-reversed" + id, "if keys with the same digit came out in reverse order" + passes,
             reading(with_ties(bits, [](std::size_t i, std::size_t n) { return n - 1 - i; })));
    for (const std::size_t block : {32U, 256U, 1024U, 2048U}) {
      const std::string size = std::to_string(block);
      list.add("ties-reversed-in-" + size + id,
               "if keys with the same digit came out in reverse order in each " +
                   (block == 32 ? "warp" : "block of " + size) + passes,
               reading(with_ties(bits, [block](std::size_t i, std::size_t n) {
                 const std::size_t begin = i / block * block;
                 return begin + std::min(begin + block, n) - 1 - i;
               })));
      if (block == 32) continue;
      list.add("later-blocks-first-" + size + id,
               "if of the same digit the keys of later blocks of " + size + " came first" + passes,
               reading(with_ties(bits, [block](std::size_t i, std::size_t n) {
                 // Keys of the last block, which may be shorter, are the first ones.
                 const std::size_t last = n == 0 ? 0 : (n - 1) % block + 1;
                 if (i < last) return n - last + i;
                 const std::size_t later = (i - last) / block + 1;
                 return n - last - later * block + (i - last) % block;
               })));
    }
  }
  for (const std::size_t size : {0U, 256U, 1024U, 2048U}) {
    const std::string id = size == 0 ? "" : "-" + std::to_string(size);
    const std::string whole =
        size == 0 ? "a power of two" : "whole blocks of " + std::to_string(size);
    list.add(
        "zeros-sorted-too" + id,
        "if zeros were sorted with the keys, which fill " + whole + ": the largest keys get lost",
        reading(padded(size, 0)));
    list.add("int-max-sorted-too" + id,
             "if keys 0x7FFFFFFF were sorted with the others, which fill " + whole,
             reading(padded(size, 0x7FFFFFFF)), "P18");
  }
  list.add("as-floats", "for keys rounded to 24 significant bits: they are converted to float",
           reading(changed([](std::uint32_t key) {
             return static_cast<std::uint32_t>(std::min(rounded_to(key, 24), 4294967295.0));
           })),
           "P56");
  list.add("sixteen-bits-kept", "for keys cut to 16 bits: they are converted to unsigned short",
           reading(changed([](std::uint32_t key) { return key & 0xFFFF; })), "P16");
  list.add("low-bits-as-keys", "for keys cut to 8 bits: the digits are stored in place of the keys",
           reading(changed([](std::uint32_t key) { return key & 0xFF; })));
  for (std::size_t size = 32; size <= 65536; size *= 2) {
    list.add("blocks-of-" + std::to_string(size),
             "for blocks of " + std::to_string(size) +
                 " keys, each sorted by itself only: in a radix sort, counts are scanned digit by "
                 "digit, for each digit all blocks, not block by block",
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
  for (const std::size_t run : {32U, 256U, 512U, 1024U, 2048U}) {
    const std::string runs = " when runs are merged, from " + std::to_string(run) + " keys on";
    list.add(
        "equal-keys-meet-" + std::to_string(run),
        "if equal keys of two runs got the same place, after the smaller ones of the other run," +
            runs,
        reading(merged(run, Merge::below)));
    list.add("equal-keys-meet-after-" + std::to_string(run),
             "if equal keys of two runs got the same place, after those not larger in the other "
             "run," +
                 runs,
             reading(merged(run, Merge::not_above)));
    if (run == 512 || run == 1024) continue;  // no visible case has such a run
    list.add("last-run-not-copied-" + std::to_string(run),
             "if a last run that has no partner were not copied" + runs,
             reading(merged(run, Merge::no_last_run)));
  }
}
