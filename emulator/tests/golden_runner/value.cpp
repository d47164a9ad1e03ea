#include "emulator/tests/golden_runner/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "emulator/tests/golden_runner/float_format.h"

namespace warpsim::golden {
namespace {

using ptx::Type;

[[noreturn]] void no_value(std::string_view text, Type type) {
  throw std::runtime_error(fmt::format("'{}' is not a value of type {}", text, ptx::name(type)));
}

Bits low_bits(std::size_t bits) {
  return bits >= 128 ? ~Bits{0} : (Bits{1} << bits) - 1;
}

std::size_t value_bits(Type type) {
  return type == Type::pred ? 1 : 8 * ptx::size_bytes(type);
}

/// Digits of an unsigned number without its prefix; false when a character is not a digit or the
/// number has more than 128 bits.
bool parse_digits(std::string_view digits, unsigned base, Bits& value) {
  if (digits.empty()) return false;
  value = 0;
  for (const char c : digits) {
    if (c == '_') continue;
    unsigned digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A' + 10);
    if (digit >= base) return false;
    if (value > (~Bits{0} - digit) / base) return false;
    value = value * base + digit;
  }
  return true;
}

bool is_hex_integer(std::string_view text) {
  return text.starts_with("0x") && text.find('p') == text.npos && text.find('.') == text.npos;
}

Bits parse_hex(std::string_view text, Type type) {
  Bits value = 0;
  if (!parse_digits(text.substr(2), 16, value) || value > low_bits(value_bits(type))) {
    no_value(text, type);
  }
  return value;
}

Bits parse_integer(std::string_view text, Type type) {
  const bool negative = text.starts_with('-');
  Bits magnitude = 0;
  if (!parse_digits(text.substr(negative ? 1 : 0), 10, magnitude)) no_value(text, type);
  const std::size_t bits = value_bits(type);
  if (magnitude > (negative ? Bits{1} << (bits - 1) : low_bits(bits))) no_value(text, type);
  return (negative ? Bits{0} - magnitude : magnitude) & low_bits(bits);
}

Bits parse_float(std::string_view text, Type type) {
  const FloatFormat& format = *float_format(type);
  if (text == "nan") return format.canonical_nan;
  const std::string owned(text);
  char* end = nullptr;
  if (format.total_bits == 32) {  // strtod and a cast would round twice
    const float value = std::strtof(owned.c_str(), &end);
    if (*end != '\0' || end == owned.c_str()) no_value(text, type);
    return std::bit_cast<std::uint32_t>(value);
  }
  const double value = std::strtod(owned.c_str(), &end);
  if (*end != '\0' || end == owned.c_str()) no_value(text, type);
  if (format.total_bits == 64) return std::bit_cast<std::uint64_t>(value);
  const auto bits = encode_exactly(value, format);
  if (!bits) {
    throw std::runtime_error(
        fmt::format("'{}' is not exact in {}; write its bits", text, ptx::name(type)));
  }
  return *bits;
}

Bits parse_element(std::string_view text, Type type) {
  if (is_hex_integer(text)) return parse_hex(text, type);
  return float_format(type) != nullptr ? parse_float(text, type) : parse_integer(text, type);
}

Expected::Element parse_expected_element(std::string_view text, Type type) {
  if (text == "*") return {.kind = Expected::Kind::any, .bits = 0};
  if (text == "nan" && float_format(type) != nullptr) {
    return {.kind = Expected::Kind::any_nan, .bits = 0};
  }
  return {.kind = Expected::Kind::bits,
          .bits = static_cast<std::uint64_t>(parse_element(text, type))};
}

bool is_nan(std::uint64_t bits, const FloatFormat& format) {
  return std::isnan(decode(bits, format));
}

/// Distance in representable values, zeros being one value.
double ulp_distance(std::uint64_t a, std::uint64_t b, const FloatFormat& format) {
  const auto position = [&format](std::uint64_t bits) {
    const std::uint64_t sign = std::uint64_t{1} << (format.total_bits - 1);
    const auto magnitude = static_cast<double>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
  };
  return std::fabs(position(a) - position(b));
}

bool element_matches(const Expected::Element& want, std::uint64_t got, Type type,
                     const Tolerance& tolerance) {
  if (want.kind == Expected::Kind::any) return true;
  const FloatFormat* const format = float_format(type);
  if (want.kind == Expected::Kind::any_nan) return is_nan(got, *format);
  if (want.bits == got) return true;
  if (format == nullptr) return false;
  const double expected = decode(want.bits, *format);
  const double value = decode(got, *format);
  if (!std::isfinite(expected) || !std::isfinite(value)) return false;
  if (tolerance.ulp > 0 && ulp_distance(want.bits, got, *format) <= tolerance.ulp) return true;
  const double error = std::fabs(value - expected);
  return (tolerance.abs > 0 && error <= tolerance.abs) ||
         (tolerance.rel > 0 && error <= tolerance.rel * std::fabs(expected));
}

std::string print_element(std::uint64_t bits, Type type) {
  const auto digits = static_cast<int>(2 * ptx::size_bytes(type));
  if (type == Type::pred) return fmt::format("{}", bits);
  std::string text = fmt::format("0x{:0{}x}", bits, digits);
  if (const FloatFormat* const format = float_format(type)) {
    text += fmt::format(" ({:.9g})", decode(bits, *format));
  } else if (ptx::is_signed(type)) {
    const unsigned shift = 64 - static_cast<unsigned>(value_bits(type));
    text += fmt::format(" ({})", static_cast<std::int64_t>(bits << shift) >> shift);
  }
  return text;
}

std::uint64_t element_bits(Bits bits, std::size_t i, Type element) {
  const std::size_t width = value_bits(element);
  return static_cast<std::uint64_t>((bits >> (i * width)) & low_bits(width));
}

void append_range(std::string_view item, std::size_t dots, std::vector<std::string>& items) {
  const auto number = [item](std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw std::runtime_error(fmt::format("'{}' is not a range of integers", item));
    }
    return value;
  };
  const std::int64_t first = number(item.substr(0, dots));
  const std::int64_t last = number(item.substr(dots + 2));
  if (last - first > 1'000'000 || first - last > 1'000'000) {
    throw std::runtime_error(fmt::format("'{}' is too long a range", item));
  }
  const std::int64_t step = first <= last ? 1 : -1;
  for (std::int64_t value = first; value != last + step; value += step) {
    items.push_back(std::to_string(value));
  }
}

void append_item(std::string_view item, std::vector<std::string>& items) {
  if (const std::size_t dots = item.find(".."); dots != item.npos) {
    append_range(item, dots, items);
    return;
  }
  const std::size_t star = item.find('*');
  if (star == item.npos || item == "*") {
    items.emplace_back(item);
    return;
  }
  std::size_t count = 0;
  const char* const begin = item.data() + star + 1;
  const char* const end = item.data() + item.size();
  const auto [stop, error] = std::from_chars(begin, end, count);
  if (error != std::errc() || stop != end || count > 1'000'000) {
    throw std::runtime_error(fmt::format("'{}' is not a repetition", item));
  }
  items.insert(items.end(), count, std::string(item.substr(0, star)));
}

}  // namespace

Type element_type(Type type) {
  switch (type) {
    case Type::f16x2:
      return Type::f16;
    case Type::bf16x2:
      return Type::bf16;
    case Type::f32x2:
      return Type::f32;
    case Type::u16x2:
      return Type::u16;
    case Type::s16x2:
      return Type::s16;
    default:
      return type;
  }
}

std::size_t element_count(Type type) {
  return element_type(type) == type ? 1 : 2;
}

std::size_t buffer_bytes(Type type) {
  return type == Type::pred ? 4 : ptx::size_bytes(type);
}

Bits parse_value(std::string_view text, Type type) {
  const Type element = element_type(type);
  const std::size_t colon = text.find(':');
  if (element == type || colon == text.npos) {
    if (element != type && !is_hex_integer(text)) no_value(text, type);
    return element == type ? parse_element(text, type) : parse_hex(text, type);
  }
  return parse_element(text.substr(0, colon), element) |
         parse_element(text.substr(colon + 1), element) << value_bits(element);
}

Expected parse_expected(std::string_view text, Type type) {
  Expected expected;
  if (text == "*") {
    expected.kind = Expected::Kind::any;
    return expected;
  }
  const Type element = element_type(type);
  if (element == type) {
    if (ptx::size_bytes(type) == 16) {
      expected.bits = parse_value(text, type);
      return expected;
    }
    const Expected::Element parsed = parse_expected_element(text, type);
    expected.kind = parsed.kind;
    expected.bits = parsed.bits;
    return expected;
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) {
    const Bits bits = parse_value(text, type);
    expected.elements = {{.kind = Expected::Kind::bits, .bits = element_bits(bits, 0, element)},
                         {.kind = Expected::Kind::bits, .bits = element_bits(bits, 1, element)}};
  } else {
    expected.elements = {parse_expected_element(text.substr(0, colon), element),
                         parse_expected_element(text.substr(colon + 1), element)};
  }
  return expected;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t", i), text.size());
    append_item(text.substr(i, end - i), items);
    i = end;
  }
  return items;
}

bool matches(const Expected& expected, Bits got, Type type, const Tolerance& tolerance) {
  if (expected.kind == Expected::Kind::any) return true;
  if (ptx::size_bytes(type) == 16) return expected.bits == got;
  if (expected.elements.empty()) {
    const Expected::Element whole{expected.kind, static_cast<std::uint64_t>(expected.bits)};
    return element_matches(whole, static_cast<std::uint64_t>(got), type, tolerance);
  }
  const Type element = element_type(type);
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    if (!element_matches(expected.elements[i], element_bits(got, i, element), element, tolerance)) {
      return false;
    }
  }
  return true;
}

std::string print_bits(Bits bits, Type type) {
  if (ptx::size_bytes(type) == 16) {
    return fmt::format("0x{:016x}_{:016x}", static_cast<std::uint64_t>(bits >> 64),
                       static_cast<std::uint64_t>(bits));
  }
  const Type element = element_type(type);
  if (element == type) return print_element(static_cast<std::uint64_t>(bits), type);
  return fmt::format("{}:{}", print_element(element_bits(bits, 0, element), element),
                     print_element(element_bits(bits, 1, element), element));
}

std::string print_expected(const Expected& expected, Type type) {
  const auto print = [](const Expected::Element& element, Type as) -> std::string {
    if (element.kind == Expected::Kind::any) return "anything";
    if (element.kind == Expected::Kind::any_nan) return "a NaN";
    return print_element(element.bits, as);
  };
  if (expected.elements.empty()) {
    if (ptx::size_bytes(type) == 16) return print_bits(expected.bits, type);
    return print({expected.kind, static_cast<std::uint64_t>(expected.bits)}, type);
  }
  const Type element = element_type(type);
  return fmt::format("{}:{}", print(expected.elements[0], element),
                     print(expected.elements[1], element));
}

}  // namespace warpsim::golden
