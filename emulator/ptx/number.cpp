#include "emulator/ptx/number.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace warpsim::ptx {
namespace {

using Literal = Operand::Literal;

constexpr std::uint64_t kSign32 = std::uint64_t{1} << 31;
constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63;

std::uint64_t parse_digits(const Token& token, std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error == std::errc::result_out_of_range) {
    fail(token, fmt::format("the number {} does not fit in 64 bits", describe(token)));
  }
  if (error != std::errc{} || stop != end) {
    fail(token, fmt::format("malformed number {}", describe(token)));
  }
  return value;
}

std::uint64_t parse_bits(const Token& token, std::size_t digits) {
  const std::string_view hex = token.text.substr(2);
  if (hex.size() != digits) {
    fail(token, fmt::format("{} needs {} hexadecimal digits, found {}", token.text.substr(0, 2),
                            digits, hex.size()));
  }
  return parse_digits(token, hex, 16);
}

std::uint64_t parse_decimal_float(const Token& token) {
  double value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    fail(token, fmt::format("the number {} is outside the range of .f64", describe(token)));
  }
  if (error != std::errc{} || stop != end) {
    fail(token, fmt::format("malformed number {}", describe(token)));
  }
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

Number parse_number(const Token& token) {
  std::string_view text = token.text;
  const char kind = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
  if (kind == 'f') return {Literal::f32_bits, parse_bits(token, 8)};
  if (kind == 'd') return {Literal::f64_bits, parse_bits(token, 16)};
  if (kind != 'x' && text.find_first_of(".eE") != std::string_view::npos) {
    return {Literal::decimal_float, parse_decimal_float(token)};
  }
  if (text.back() == 'U') text.remove_suffix(1);
  if (kind == 'x') return {Literal::integer, parse_digits(token, text.substr(2), 16)};
  if (kind == 'b') return {Literal::integer, parse_digits(token, text.substr(2), 2)};
  const bool octal = text.size() > 1 && text[0] == '0';
  return {Literal::integer, parse_digits(token, text, octal ? 8 : 10)};
}

Number negate(Number number) {
  switch (number.literal) {
    case Literal::integer:
      number.bits = 0 - number.bits;
      break;
    case Literal::f32_bits:
      number.bits ^= kSign32;
      break;
    case Literal::f64_bits:
    case Literal::decimal_float:
      number.bits ^= kSign64;
      break;
  }
  return number;
}

std::uint64_t expect_integer(Lexer& lexer, std::string_view what, std::uint64_t max) {
  const Token token = lexer.expect(Token::Kind::number, what);
  const Number number = parse_number(token);
  if (number.literal != Literal::integer) {
    fail(token, fmt::format("{} must be an integer, found {}", what, describe(token)));
  }
  if (number.bits > max) {
    fail(token, fmt::format("{} is {}; the limit is {}", what, number.bits, max));
  }
  return number.bits;
}

std::int64_t parse_offset(Lexer& lexer) {
  std::uint64_t offset = 0;
  while (lexer.at('+') || lexer.at('-')) {
    bool negative = lexer.next().is('-');
    if (lexer.accept('-')) negative = !negative;
    const std::uint64_t value = expect_integer(lexer, "the offset", ~std::uint64_t{0});
    offset = negative ? offset - value : offset + value;
  }
  return static_cast<std::int64_t>(offset);
}

}  // namespace warpsim::ptx
