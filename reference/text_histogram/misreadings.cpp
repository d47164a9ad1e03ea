#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

bool is_small(int byte) {
  return byte >= 'a' && byte <= 'z';
}
bool is_capital(int byte) {
  return byte >= 'A' && byte <= 'Z';
}
/// A letter's number from 0; -1 of other bytes.
int letter(int byte) {
  return is_small(byte) ? byte - 'a' : is_capital(byte) ? byte - 'A' : -1;
}
int bin_of(int byte) {
  const int number = letter(byte);
  return number < 0 ? 7 : number / 4;
}

using Bin = std::optional<int>;

struct Reading {
  std::function<Bin(int byte)> bin = [](int byte) { return Bin(bin_of(byte)); };
  std::function<std::size_t(std::size_t n)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t n)> end = [](std::size_t n) { return n; };
  std::size_t step = 1;
  std::function<int(std::size_t i, std::size_t n)> times = [](std::size_t, std::size_t) {
    return 1;
  };
  std::size_t once_in = 0;  // a bin is counted once for so many bytes; 0: for each byte
  bool all_in_last = false;  // bin 7 has all bytes, letters too
  std::function<std::int64_t(std::int64_t count)> shown = [](std::int64_t count) { return count; };
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto text = call.input<std::uint8_t>("text");
    const auto bins = call.integers("bins");
    std::fill(bins.begin(), bins.end(), 0);
    const std::size_t end = std::min(how.end(text.size()), text.size());
    unsigned seen = 0;  // bins, as bits
    for (std::size_t i = how.first(text.size()); i < end; i += how.step) {
      const Bin bin = how.bin(text[i]);
      if (how.once_in > 0 && i % how.once_in == 0) seen = 0;
      if (!bin || *bin < 0 || *bin >= static_cast<int>(bins.size())) continue;
      if (how.once_in > 0 && (seen >> *bin & 1U) != 0) continue;
      seen |= 1U << *bin;
      bins[static_cast<std::size_t>(*bin)] += how.times(i, text.size());
      if (how.all_in_last && *bin < 7) bins.back() += 1;
    }
    for (std::int64_t& bin : bins) bin = how.shown(bin);
  };
}

/// With other bins for some bytes: -1 for none.
Reading with_bin(std::function<bool(int byte)> is_meant, int bin) {
  return {.bin = [is_meant = std::move(is_meant), bin](int byte) {
    return Bin(is_meant(byte) ? bin : bin_of(byte));
  }};
}

/// With letters in other bins, by their number from 0.
Reading by_number(std::function<int(int number)> bin) {
  return {.bin = [bin = std::move(bin)](int byte) {
    return Bin(letter(byte) < 0 ? 7 : bin(letter(byte)));
  }};
}

/// The bytes that count, by their index.
Reading of_bytes(std::function<int(std::size_t i, std::size_t n)> times) {
  return {.times = std::move(times)};
}

/// Counters of 8 bits of each thread, eight in one number, of which each carries into the next one.
/// Threads take every `threads`-th byte, and empty them after `emptied` bytes; 0: never.
auto packed(std::size_t threads, std::size_t emptied, bool carries) {
  return [=](const GoldenCall& call) {
    const auto text = call.input<std::uint8_t>("text");
    const auto bins = call.integers("bins");
    std::fill(bins.begin(), bins.end(), 0);
    for (std::size_t thread = 0; thread < std::min(threads, text.size()); ++thread) {
      std::array<std::uint64_t, 8> counters{};
      const auto empty = [&] {
        std::uint64_t carried = 0;
        for (std::size_t bin = 0; bin < counters.size(); ++bin) {
          const std::uint64_t count = counters[bin] + carried;
          carried = carries ? count >> 8U : 0;
          bins[bin] += static_cast<std::int64_t>(count & 0xFFU);
          counters[bin] = 0;
        }
      };
      std::size_t counted = 0;
      for (std::size_t i = thread; i < text.size(); i += threads) {
        ++counters[static_cast<std::size_t>(bin_of(text[i]))];
        if (++counted == emptied) {
          empty();
          counted = 0;
        }
      }
      empty();
    }
  };
}

/// For lanes of a warp that count those with the same bin together, from the mask of these lanes.
auto together(std::function<std::int64_t(std::uint32_t lanes)> adds) {
  return [=](const GoldenCall& call) {
    const auto text = call.input<std::uint8_t>("text");
    const auto bins = call.integers("bins");
    std::fill(bins.begin(), bins.end(), 0);
    for (std::size_t first = 0; first < text.size(); first += 32) {
      std::array<std::uint32_t, 8> lanes{};
      for (std::size_t i = first; i < std::min(first + 32, text.size()); ++i) {
        lanes[static_cast<std::size_t>(bin_of(text[i]))] |= 1U << (i - first);
      }
      for (std::size_t bin = 0; bin < lanes.size(); ++bin) {
        if (lanes[bin] != 0) bins[bin] += adds(lanes[bin]);
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("no-capitals", "if capital letters were not counted at all",
           reading({.bin = [](int byte) { return is_capital(byte) ? Bin() : Bin(bin_of(byte)); }}));
  list.add("capitals-as-others", "if capital letters were counted as other bytes",
           reading({.bin = [](int byte) { return Bin(is_capital(byte) ? 7 : bin_of(byte)); }}));
  list.add("no-small-letters", "if small letters were counted as other bytes",
           reading({.bin = [](int byte) { return Bin(is_small(byte) ? 7 : bin_of(byte)); }}));
  list.add("others-not-counted", "if bytes that are not letters were not counted",
           reading({.bin = [](int byte) { return letter(byte) < 0 ? Bin() : Bin(bin_of(byte)); }}));
  list.add("y-and-z-as-others", "if y and z were counted as other bytes",
           reading({.bin = [](int byte) { return Bin(letter(byte) >= 24 ? 7 : bin_of(byte)); }}));
  list.add("no-z", "if z were not a letter: the test ends too early",
           reading({.bin = [](int byte) { return Bin(letter(byte) == 25 ? 7 : bin_of(byte)); }}));
  list.add("no-a", "if a were not a letter: the test begins too late",
           reading({.bin = [](int byte) { return Bin(letter(byte) == 0 ? 7 : bin_of(byte)); }}));
  list.add("groups-from-b", "for groups that begin with b, as if letters were counted from 1",
           reading({.bin = [](int byte) {
             return Bin(letter(byte) < 0 ? 7 : (letter(byte) + 1) / 4);
           }}));
  list.add("groups-of-three", "for groups of three letters",
           reading({.bin = [](int byte) { return Bin(letter(byte) < 0 ? 7 : letter(byte) / 3); }}));
  list.add("groups-of-five", "for groups of five letters",
           reading({.bin = [](int byte) { return Bin(letter(byte) < 0 ? 7 : letter(byte) / 5); }}));
  list.add("by-remainder", "for the remainder of letters by 7 in place of groups of four",
           reading({.bin = [](int byte) { return Bin(letter(byte) < 0 ? 7 : letter(byte) % 7); }}));
  list.add("next-bin", "for letters in the bin after the right one",
           reading({.bin = [](int byte) { return Bin(letter(byte) < 0 ? 7 : bin_of(byte) + 1); }}));
  list.add(
      "case-bit-ignored",
      "if any byte whose lower five bits are those of a letter were one: digits and signs, too",
      reading({.bin = [](int byte) {
        const int number = (byte | 0x20) - 'a';
        return Bin((byte & 0x1F) >= 1 && (byte & 0x1F) <= 26 && byte < 0x80
                       ? ((byte & 0x1F) - 1) / 4
                       : (number >= 0 && number < 26 ? number / 4 : 7));
      }}));
  list.add("bytes-above-127", "if bytes above 127 were not counted: they are negative as char",
           reading({.bin = [](int byte) { return byte > 127 ? Bin() : Bin(bin_of(byte)); }}),
           "P17");
  list.add("no-last", "without the last byte",
           reading({.end = [](std::size_t n) { return n == 0 ? 0 : n - 1; }}));
  list.add("no-first", "without the first byte", reading({.first = [](std::size_t) { return 1; }}));
  list.add("every-fourth", "for every fourth byte only", reading({.step = 4}));
  list.add("fours", "for groups of four bytes: the rest of the division is not counted",
           reading({.end = [](std::size_t n) { return n / 4 * 4; }}), "P13");
  for (const char limit : {'a', 'z', 'A', 'Z'}) {
    list.add(std::string(limit >= 'a' ? "small-" : "capital-") + limit,
             std::string("if ") + limit + " were not a letter: < in place of <= or the reverse",
             reading(with_bin([limit](int byte) { return byte == limit; }, 7)));
  }
  struct Beside {
    const char* id;
    const char* says;
    const char* bytes;
    int bin;
  };
  for (const Beside how :
       {Beside{"brace-as-letter", "if { , the byte after z, were counted as a letter", "{", 6},
        Beside{"bracket-as-letter", "if [ , the byte after Z, were counted as a letter", "[", 6},
        Beside{"after-z-as-letters", "if [ and { , the bytes after Z and z, were letters", "[{", 6},
        Beside{"at-sign-as-letter", "if @ , the byte before A, were counted as a letter", "@", 0},
        Beside{"accent-as-letter", "if ` , the byte before a, were counted as a letter", "`", 0},
        Beside{"before-a-as-letters", "if @ and ` , the bytes before A and a, were letters", "@`",
               0},
        Beside{"spaces-left-out", "if spaces were not counted; they are other bytes", " ", -1},
        Beside{"line-ends-left-out", "if line ends were not counted; they are other bytes", "\n",
               -1},
        Beside{"white-space-left-out", "if spaces and line ends were not counted", " \n\r\t", -1},
        Beside{"digits-left-out", "if digits were not counted; they are other bytes", "0123456789",
               -1}}) {
    const std::string bytes = how.bytes;
    list.add(
        how.id, how.says,
        reading(with_bin(
            [bytes](int byte) { return bytes.find(static_cast<char>(byte)) != std::string::npos; },
            how.bin)));
  }
  list.add("zeros-left-out", "if bytes that are 0 were not counted; they are other bytes",
           reading(with_bin([](int byte) { return byte == 0; }, -1)));
  list.add("others-in-bin-6", "if other bytes were counted with y and z, in bin 6",
           reading(with_bin([](int byte) { return letter(byte) < 0; }, 6)));
  list.add("others-in-bin-0", "if other bytes were counted in bin 0",
           reading(with_bin([](int byte) { return letter(byte) < 0; }, 0)));
  list.add("y-and-z-in-bin-5", "if y and z were counted with u to x, in bin 5",
           reading(with_bin([](int byte) { return letter(byte) >= 24; }, 5)));
  list.add("all-in-bin-7", "if bin 7 had all bytes, letters too", reading({.all_in_last = true}));
  list.add("all-letters-in-bin-0", "if all letters were counted in bin 0",
           reading(by_number([](int) { return 0; })));
  list.add("highest-bit-ignored", "if the highest bit of a byte were ignored: some become letters",
           reading({.bin = [](int byte) { return Bin(bin_of(byte & 0x7F)); }}));
  list.add("bins-reversed", "with the bins of letters in reverse order",
           reading(by_number([](int number) { return 6 - number / 4; })));
  list.add("by-last-two-bits", "for the remainder of letters by 4 in place of groups of four",
           reading(by_number([](int number) { return number % 4; })));
  list.add("by-remainder-8", "for the remainder of letters by 8 in place of groups of four",
           reading(by_number([](int number) { return number % 8; })));
  list.add("equal-parts", "for seven groups of nearly equal size: letter * 7 / 26",
           reading(by_number([](int number) { return number * 7 / 26; })));
  list.add("eight-parts", "for eight groups of nearly equal size: letter * 8 / 26",
           reading(by_number([](int number) { return number * 8 / 26; })));
  for (const int size : {6, 7, 8}) {
    list.add("groups-of-" + std::to_string(size),
             "for groups of " + std::to_string(size) + " letters; they have four",
             reading(by_number([size](int number) { return number / size; })));
  }
  list.add("groups-to-e", "for groups that end one letter later: a to e, f to i, ...",
           reading(by_number([](int number) { return number == 0 ? 0 : (number - 1) / 4; })));
  list.add("no-fourth", "without every fourth byte: .w of a uchar4 is not counted",
           reading(of_bytes(
               [](std::size_t i, std::size_t n) { return i % 4 == 3 && i < n / 4 * 4 ? 0 : 1; })));
  list.add("first-of-four", "if .x of a uchar4 were counted four times",
           reading(of_bytes([](std::size_t i, std::size_t n) {
             return i >= n / 4 * 4 ? 1 : i % 4 == 0 ? 4 : 0;
           })));
  for (const std::size_t group : {4U, 16U}) {
    list.add("rest-twice-" + std::to_string(group),
             "if the bytes after the last whole group of " + std::to_string(group) +
                 " were counted twice",
             reading(of_bytes([group](std::size_t i, std::size_t n) {
               return i >= n / group * group ? 2 : 1;
             })));
  }
  list.add("every-second", "for every second byte only", reading({.step = 2}));
  list.add("every-sixteenth", "for every sixteenth byte only", reading({.step = 16}));
  list.add("first-half", "for the first half of the text only",
           reading({.end = [](std::size_t n) { return n / 2; }}));
  for (const std::size_t group : {8U, 16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(group);
    list.add("groups-of-bytes-" + size,
             "for groups of " + size + " bytes: the rest of the division is not counted",
             reading({.end = [group](std::size_t n) { return n / group * group; }}),
             group < 32 ? "P13" : "P2");
    if (group < 32) continue;
    list.add("first-" + size, "for the first " + size + " bytes only",
             reading({.end = [group](std::size_t) { return group; }}));
    list.add("once-in-" + size,
             "if a bin were counted once for each " + size + " bytes that it occurs in",
             reading({.once_in = group}), "P30");
    list.add("one-of-" + size, "for one byte of each " + size + " only: thread 0's",
             reading({.step = group}));
    if (group > 32) {
      list.add("first-warp-" + size,
               "for the first 32 of each " + size + " bytes only: the other warps are lost",
               reading(of_bytes(
                   [group](std::size_t i, std::size_t) { return i % group < 32 ? 1 : 0; })));
    }
    list.add(
        "no-last-block-" + size, "without the last block of " + size + " bytes",
        reading({.end = [group](std::size_t n) { return n == 0 ? 0 : (n - 1) / group * group; }}));
    list.add("last-block-" + size,
             "for the last block of " + size + " bytes only: each block replaces the others",
             reading({.first = [group](std::size_t n) {
               return n == 0 ? 0 : (n - 1) / group * group;
             }}));
    list.add("no-first-block-" + size, "without the first " + size + " bytes",
             reading({.first = [group](std::size_t) { return group; }}));
  }
  list.add("counts-of-8-bits", "for counts of 8 bits, which begin again at 0 after 255",
           reading({.shown = [](std::int64_t count) { return count & 0xFF; }}), "P16");
  list.add("counts-of-16-bits", "for counts of 16 bits, which begin again at 0 after 65,535",
           reading({.shown = [](std::int64_t count) { return count & 0xFFFF; }}), "P16");
  list.add(
      "emptied-late",
      "if packed counters of 8 bits were emptied when they are 256, too late: each has carried "
      "into the next one, in up to 1024 threads",
      packed(512, 256, true), "P16");
  list.add(
      "emptied-late-768",
      "if packed counters of 8 bits were emptied when they are 256, too late: each has carried "
      "into the next one, in 768 threads",
      packed(768, 256, true), "P16");
  list.add("own-counters-of-8-bits",
           "for counters of 8 bits of each thread, which go from 255 back to 0, in 768 threads",
           packed(768, 0, false), "P16");
  list.add("leader-from-one",
           "if lane __ffs(mask) added for the lanes with the same bin: the lowest of them is lane "
           "__ffs(mask) - 1",
           together([](std::uint32_t lanes) -> std::int64_t {
             const auto leader = static_cast<unsigned>(std::countr_zero(lanes)) + 1;
             return leader < 32 && (lanes >> leader & 1U) != 0 ? std::popcount(lanes) : 0;
           }));
  list.add("all-lanes-add",
           "if each lane of a warp, not one alone, added the number of lanes with its bin",
           together([](std::uint32_t lanes) {
             return std::int64_t{std::popcount(lanes)} * std::popcount(lanes);
           }));
  list.add("lane-zero-adds",
           "if only lane 0 of a warp added the lanes with its bin; those with others are lost",
           together([](std::uint32_t lanes) -> std::int64_t {
             return (lanes & 1U) != 0 ? std::popcount(lanes) : 0;
           }));
}
