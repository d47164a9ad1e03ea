#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

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
  std::function<std::int64_t(std::int64_t count)> shown = [](std::int64_t count) { return count; };
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto text = call.input<std::uint8_t>("text");
    const auto bins = call.integers("bins");
    std::fill(bins.begin(), bins.end(), 0);
    const std::size_t end = std::min(how.end(text.size()), text.size());
    for (std::size_t i = how.first(text.size()); i < end; i += how.step) {
      const Bin bin = how.bin(text[i]);
      if (bin && *bin >= 0 && *bin < static_cast<int>(bins.size())) {
        ++bins[static_cast<std::size_t>(*bin)];
      }
    }
    for (std::int64_t& bin : bins) bin = how.shown(bin);
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
  list.add("first-256", "for the first 256 bytes only",
           reading({.end = [](std::size_t) { return 256; }}));
  list.add("counts-of-8-bits", "for counts of 8 bits, which begin again at 0 after 255",
           reading({.shown = [](std::int64_t count) { return count & 0xFF; }}), "P16");
  list.add("counts-of-16-bits", "for counts of 16 bits, which begin again at 0 after 65,535",
           reading({.shown = [](std::int64_t count) { return count & 0xFFFF; }}), "P16");
}
