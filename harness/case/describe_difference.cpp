#include "harness/case/describe_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/core/value_text.h"
#include "harness/data/element_type.h"

namespace warpgrade {

namespace {

constexpr int kDigits = 7;  // of a float
constexpr std::size_t kNamed = 5;  // values in a sentence
constexpr std::size_t kRowShown = 6;  // elements of a row
constexpr std::size_t kColumns = 60;  // of a line of text
constexpr std::size_t kBytesBefore = 8;
constexpr std::size_t kBytesShown = 24;

std::string element_text(const Array& got, std::size_t at) {
  return with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    const T value = got.as<T>()[at];
    if constexpr (is_float_like<T>) {
      return value_text(static_cast<double>(value), kDigits);
    } else {
      return fmt::format("{}", +value);
    }
  });
}

std::string expected_text(const Expected& want, std::size_t at) {
  if (is_float(want.type)) return value_text(want.want[at], kDigits);
  return want.type == ElementType::u64
             ? fmt::format("{}", static_cast<std::uint64_t>(want.exact[at]))
             : fmt::format("{}", want.exact[at]);
}

template <class Text>
std::string row_text(std::uint64_t length, std::size_t first, Text text) {
  if (length == 1) return text(first);
  std::string row = "(";
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(length, kRowShown); ++i) {
    row += (i == 0 ? "" : ", ") + text(first + i);
  }
  return row + (length > kRowShown ? ", ...)" : ")");
}

/// "7 (twice), 3 and 2 more".
std::string counted(const std::vector<std::string>& texts) {
  std::map<std::string, std::size_t> times;
  std::vector<std::string> order;
  for (const std::string& text : texts) {
    if (times[text]++ == 0) order.push_back(text);
  }
  std::string sentence;
  for (std::size_t i = 0; i < std::min(order.size(), kNamed); ++i) {
    const std::size_t n = times[order[i]];
    sentence += fmt::format("{}{}{}", i == 0 ? "" : ", ", order[i],
                            n == 1   ? ""
                            : n == 2 ? " (twice)"
                                     : fmt::format(" ({} times)", n));
  }
  if (order.size() > kNamed) sentence += fmt::format(" and {} more", order.size() - kNamed);
  return sentence;
}

/// A byte as it may be shown in a line of text.
std::string visible(unsigned char byte) {
  if (byte == '\t') return "\\t";
  if (byte == '\r') return "\\r";
  if (byte == 0) return "\\0";
  if (byte < 0x20 || byte >= 0x7f) return fmt::format("\\x{:02x}", byte);
  return std::string(1, static_cast<char>(byte));
}

using Bytes = std::vector<unsigned char>;

/// The line with position `at`, from a few columns before it.
std::string line_around(const Bytes& bytes, std::size_t begin, std::size_t at) {
  const std::size_t from = at - begin > kColumns / 2 ? at - kColumns / 2 : begin;
  std::string line = from > begin ? "..." : "";
  std::size_t i = from;
  for (; i < bytes.size() && bytes[i] != '\n' && i < from + kColumns; ++i)
    line += visible(bytes[i]);
  if (i < bytes.size() && bytes[i] != '\n') line += "...";
  if (i < bytes.size() && bytes[i] == '\n') line += "\\n";
  return line;
}

std::string hexadecimal(const Bytes& bytes, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < std::min(bytes.size(), from + kBytesShown); ++i) {
    text += fmt::format("{}{:02x}", i == from ? "" : " ", bytes[i]);
  }
  return text;
}

}  // namespace

std::string describe_free_order(const Array& got, const Expected& want,
                                const std::vector<bool>& right, std::uint64_t length) {
  std::vector<std::string> surplus;
  std::vector<std::string> missing;
  for (std::size_t first = 0; first + length <= right.size(); first += length) {
    const auto begin = right.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(length),
                    [](bool ok) { return ok; })) {
      continue;
    }
    surplus.push_back(
        row_text(length, first, [&](std::size_t at) { return element_text(got, at); }));
    missing.push_back(
        row_text(length, first, [&](std::size_t at) { return expected_text(want, at); }));
  }
  return fmt::format(
      "The order does not matter, but these do not belong: {}; and these are "
      "missing: {}.",
      counted(surplus), counted(missing));
}

std::string describe_text(const Array& got, const Expected& want, const std::vector<bool>& right,
                          OutputForm form) {
  Bytes mine(got.count());
  Bytes theirs(got.count());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    mine[i] = std::to_integer<unsigned char>(got.bytes[i]);
    theirs[i] = static_cast<unsigned char>(want.exact[i]);
  }
  const auto at =
      static_cast<std::size_t>(std::find(right.begin(), right.end(), false) - right.begin());
  if (form == OutputForm::bytes) {
    const std::size_t from = at > kBytesBefore ? at - kBytesBefore : 0;
    return fmt::format(
        "The first difference is at offset {} ({:#x}); from offset {}:\n  got  {}\n"
        "  want {}",
        at, at, from, hexadecimal(mine, from), hexadecimal(theirs, from));
  }
  // Up to the first difference both are the same, so that it has the same line in both.
  std::size_t line = 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (mine[i] == '\n') {
      ++line;
      begin = i + 1;
    }
  }
  return fmt::format("The first difference is in line {}, column {}:\n  got  \"{}\"\n  want \"{}\"",
                     line, at - begin + 1, line_around(mine, begin, at),
                     line_around(theirs, begin, at));
}

}  // namespace warpgrade
